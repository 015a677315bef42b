#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "accuracy/big_body.h"
static double unit_aspect(random_state *r, double decades){ return random_below(r,2)?1.0:pow(10.0,-random_range(r,0,decades)); }
static big_body random_body(random_state *r, int kind, double size, double decades){
  big_body b={.kind=(big_kind)kind,.size=size};
  abut_vec3 h={unit_aspect(r,decades),unit_aspect(r,decades),unit_aspect(r,decades)};
  bool rounded=random_below(r,4)==0;
  if(rounded){h.x=ceil(h.x*8)/8;h.y=ceil(h.y*8)/8;h.z=ceil(h.z*8)/8;}
  b.half=abut_scale(0.5*size,h);
  b.radius=0.5*size*unit_aspect(r,decades); b.half_length=0.5*size*unit_aspect(r,decades);
  if(kind==BIG_CAPSULE && b.radius>b.half_length && random_below(r,2)) {double t=b.radius;b.radius=b.half_length;b.half_length=t;}
  b.e1=random_range(r,0.2,1.8);b.e2=random_range(r,0.2,1.8);
  if(kind==BIG_PLANE) b.half=random_direction(r);
  if(kind==BIG_POINTS){
    int form=random_below(r,4); b.point_count=0;
    if(form==0){ int n=4+random_below(r,12); for(int i=0;i<n;i++){abut_vec3 d=random_direction(r);b.point[b.point_count++]=abut_vec3_make(d.x*b.half.x,d.y*b.half.y,d.z*b.half.z);} }
    else if(form==1){ int n=3+random_below(r,7); for(int i=0;i<n;i++){double a=6.283185307179586*i/n; for(int k=-1;k<2;k+=2)b.point[b.point_count++]=abut_vec3_make(cos(a)*b.half.x,sin(a)*b.half.y,k*b.half.z);} }
    else if(form==2){ int n=4+random_below(r,12); for(int i=0;i<n;i++){abut_vec3 d=random_vec3(r,-1,1); b.point[b.point_count++]=abut_vec3_make(round(d.x*4)*b.half.x/4,round(d.y*4)*b.half.y/4,round(d.z*4)*b.half.z/4);} }
    else { int n=4+random_below(r,3); for(int i=0;i<n;i++){abut_vec3 d=random_vec3(r,-1,1); b.point[b.point_count++]=abut_vec3_make(d.x*b.half.x,d.y*b.half.y,d.z*b.half.z);} }
  }
  return b;
}
static abut_quat small_turn(random_state*r,abut_quat q){ double s=pow(10,-random_range(r,2,17)); abut_vec3 d=random_direction(r); abut_quat t={s*d.x,s*d.y,s*d.z,1.0}; return abut_quat_unit(abut_quat_mul(q,t)); }
static abut_vec3 axis_of(random_state*r,abut_pose p){ abut_vec3 e={0,0,0}; int i=random_below(r,3); double s=random_below(r,2)?1:-1; if(i==0)e.x=s;else if(i==1)e.y=s;else e.z=s; return abut_quat_rotate(p.rotation,e);}
int main(int argc,char**argv){
  uint64_t first=strtoull(argv[1],0,0); int n=atoi(argv[2]); int verbose=argc>3;
  const char*kn[]={"ball","capsule","box","points","ellipsoid","superq","plane"};
  static long wrong[7][7],total[7][7]; static double worst[7][7]; long bad=0, over=0;
  for(int it=0;it<n;it++){
    uint64_t seed=first+(uint64_t)it; random_state rs=random_make(seed),*r=&rs;
    int ka=random_below(r,6), kb=random_below(r,7); if(getenv("SMOOTH")&&ka<4&&kb<4){ka=4+ka%2;}if(getenv("POLY")){ka%=4;if(kb>=4)kb-=4;} 
    double decades=(ka>=4||kb>=4)?2.0:random_below(r,2)?1.0:5.0;
    double ratio=pow(10,random_range(r,0,12)), sa=1.0, sb=1.0; if(random_below(r,2))sa=ratio;else sb=ratio;
    double unit=pow(10,random_range(r,-3,3)); sa*=unit;sb*=unit;
    big_body A=random_body(r,ka,sa,decades),B=random_body(r,kb,sb,decades);
    abut_shape*a=big_body_make(&A),*b=big_body_make(&B);
    if(!a||!b){ if(a)abut_shape_release(a); if(b)abut_shape_release(b); continue;}
    double big_size=kb==BIG_PLANE?sa:fmax(sa,sb), lesser=fmin(sa,sb);
    double far=random_below(r,3)?0.0:big_size*pow(10,random_range(r,0,6));
    abut_pose pa={abut_vec3_make(0,0,0),random_below(r,3)?random_rotation(r):abut_quat_identity()}, pb=pa;
    int m=random_below(r,3); pb.rotation=m==0?random_rotation(r):m==1?pa.rotation:small_turn(r,pa.rotation);
    abut_vec3 nn=random_below(r,2)?random_direction(r):random_below(r,2)?axis_of(r,pa):axis_of(r,pb);
    if(random_below(r,4)==0){abut_vec3 e=random_direction(r);nn=abut_unit(abut_add_scaled(nn,pow(10,-random_range(r,2,16)),e));}
    if(kb==BIG_PLANE) nn=abut_quat_rotate(pb.rotation,B.half);
    double gap=pow(10,random_range(r,-5,1))*(random_below(r,2)?big_size:lesser);
    abut_vec3 u,v; abut_tangent_frame(nn,&u,&v);
    double reach=random_below(r,2)?lesser:big_size; 
    abut_vec3 lateral=abut_add(abut_scale(random_range(r,-0.6,0.6)*reach,u),abut_scale(random_range(r,-0.6,0.6)*reach,v));
    if(random_below(r,4)==0)lateral=abut_vec3_make(0,0,0);
    big_pose Pa=big_pose_of(pa),Pb=big_pose_of(pb);
    bigv N=bigv_of(nn), M=bigv_of(abut_neg(nn));
    double ha=big_double(big_body_support(&A,&Pa,M)), hb=kb==BIG_PLANE?0:big_double(big_body_support(&B,&Pb,N));
    pa.position=abut_add_scaled(lateral,ha+hb+gap,nn);
    if(far>0){abut_vec3 o=abut_scale(far,random_vec3(r,-1,1));pa.position=abut_add(pa.position,o);pb.position=o;}
    Pa=big_pose_of(pa);Pb=big_pose_of(pb);
    for(int swap=0;swap<2;swap++){
      abut_separation s; abut_pair p=swap?(abut_pair){b,pb,a,pa}:(abut_pair){a,pa,b,pb};
      abut_status st=abut_distance(&p,NULL,NULL,&s);
      if(swap){abut_vec3 t=s.on_a;s.on_a=s.on_b;s.on_b=t;s.normal=abut_neg(s.normal);}
      total[ka][kb]++;
      double coord=abut_length(pa.position)+abut_length(pb.position)+big_size+abut_length(s.on_a)+abut_length(s.on_b);
      coord=fmax(coord-0,0);
      double scale=big_size+2e-4*coord; /* ulp 2e-16 counted as 1e-12 of scale */
      double e[6]={0};
      if(st!=ABUT_OK){e[0]=INFINITY;}
      else if(s.gap<=0){ over++; big lower=kb==BIG_PLANE?big_of(0):big_sub(big_of(0.0),big_add(big_body_support(&A,&Pa,M),big_body_support(&B,&Pb,N))); double l=kb==BIG_PLANE?gap:big_double(lower); e[0]=l>1e-12*scale?l/scale:0; }
      else {
        bigv na=bigv_of(s.normal), oa=bigv_of(s.on_a),ob=bigv_of(s.on_b),d=bigv_sub(oa,ob); bigv neg=bigv_scale(big_of(-1),na);
        big g=big_of(s.gap);
        e[0]=fabs(big_double(big_sub(bigv_dot(na,d),g)))/scale;
        e[1]=big_double(bigv_length(bigv_sub(d,bigv_scale(g,na))))/scale;
        if(kb!=BIG_PLANE){ big low=big_sub(big_of(0),big_add(big_body_support(&A,&Pa,neg),big_body_support(&B,&Pb,na))); e[2]=fabs(big_double(big_sub(low,g)))/scale; }
        e[3]=fabs(big_body_outside(&A,&Pa,oa))/scale; e[4]=fabs(big_body_outside(&B,&Pb,ob))/scale;
        e[5]=fabs(big_double(bigv_length(na))-1)*0.1;
      }
      double w=0; int wi=0; for(int k=0;k<6;k++) if(!(e[k]<=w)){w=e[k];wi=k;}
      if(!(w<=worst[ka][kb]))worst[ka][kb]=w;
      if(!(w<=1e-12)){wrong[ka][kb]++; bad++; if(verbose&&bad<40) printf("seed %lu %s %s swap %d ratio %.2e gap %.3e/%g st %d e: %.1e %.1e low %.1e on %.1e %.1e (which %d) fa %d fb %d\n",(unsigned long)seed,kn[ka],kn[kb],swap,sa/sb,s.gap/big_size,gap/big_size,st,e[0],e[1],e[2],e[3],e[4],wi,s.feature_a.kind,s.feature_b.kind);}
    }
    abut_shape_release(a);abut_shape_release(b);
  }
  printf("bad %ld over %ld\n",bad,over);
  for(int i=0;i<7;i++)for(int j=0;j<7;j++)if(total[i][j])printf("%-10s %-10s %6ld wrong %5ld worst %.2e\n",kn[i],kn[j],total[i][j],wrong[i][j],worst[i][j]);
}
