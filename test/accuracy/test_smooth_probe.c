#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "accuracy/big_body.h"
typedef struct { big_body*A,*B; abut_pose pa,pb; abut_mat3 ra,rb; abut_vec3 d; } prob; /* d = pa - pb relative */
static double sup(const big_body*b, abut_vec3 n){ /* local */
  double x=b->half.x*n.x,y=b->half.y*n.y,z=b->half.z*n.z;
  switch(b->kind){case BIG_BALL:return b->radius; case BIG_CAPSULE:return b->radius+fabs(b->half_length*n.z); case BIG_BOX:return fabs(x)+fabs(y)+fabs(z);
  case BIG_ELLIPSOID:return sqrt(x*x+y*y+z*z);
  case BIG_SUPERQUADRIC:{double q=2/(2-b->e1),p=2/(2-b->e2); x=fabs(x);y=fabs(y);z=fabs(z); double m=fmax(x,y); double r=m>0?m*pow(pow(x/m,p)+pow(y/m,p),1/p):0; m=fmax(r,z); return m*pow(pow(r/m,q)+pow(z/m,q),1/q);}
  default:{double h=-INFINITY;for(int i=0;i<b->point_count;i++)h=fmax(h,abut_dot(n,b->point[i]));return h;}}
}
/* n from A to B; height = hA(n)+hB(-n)+n.(pa-pb) */
static double height(prob*p,abut_vec3 n){ abut_vec3 la=abut_mat3_apply_transposed(p->ra,n),lb=abut_mat3_apply_transposed(p->rb,abut_neg(n)); return sup(p->A,la)+sup(p->B,lb)+abut_dot(n,p->d);}
static abut_vec3 stretch(prob*p,int which,double s,abut_vec3 x){ big_body*b=which?p->B:p->A; abut_mat3 r=which?p->rb:p->ra; abut_vec3 h=b->half; if(b->kind==BIG_CAPSULE)h=abut_vec3_make(b->radius,b->radius,b->radius+b->half_length); if(b->kind==BIG_BALL||b->kind==BIG_POINTS)h=abut_vec3_make(1,1,1); double m=fmin(h.x,fmin(h.y,h.z)); x.x*=pow(m/h.x,s);x.y*=pow(m/h.y,s);x.z*=pow(m/h.z,s); return abut_mat3_apply(r,x);}
static double gauss(random_state*r){double s=0;for(int i=0;i<4;i++)s+=random_range(r,-1,1);return s*0.8;}
static double improve(prob*p,random_state*r,abut_vec3*n,double h,int steps){
  double sigma[6]={0.1,0.1,0.1,0.1,0.1,0.1};
  for(int i=0;i<steps;i++){ int k=random_below(r,6); abut_vec3 g={gauss(r),gauss(r),gauss(r)};
    abut_vec3 e=k<2?stretch(p,0,k+1,g):k<4?stretch(p,1,k-1,g):g; double le=abut_length(e); if(!(le>0))continue; if(k<4) e=abut_scale(fabs(gauss(r))*0+1.0,e);
    abut_vec3 m=abut_unit(abut_add_scaled(*n,sigma[k]*(k==5?1e-3:1),e)); double hh=height(p,m);
    if(hh<h){h=hh;*n=m;sigma[k]*=1.6;} else sigma[k]*=0.82; if(sigma[k]<1e-13)sigma[k]=pow(10,-random_range(r,1,9)); }
  return h;}
static double least(prob*p,random_state*r,abut_vec3 first,abut_vec3*arg){
  enum{N=200,K=4}; abut_vec3 best[K];double hb[K];for(int k=0;k<K;k++)hb[k]=INFINITY;
  for(int i=0;i<N+6;i++){ abut_vec3 x=random_direction(r),n; int w=random_below(r,2); double s=random_below(r,3); if(random_below(r,2))s=random_range(r,0,2);
    if(i<6){x=abut_vec3_make(0,0,0);(&x.x)[i%3]=1;w=i/3;s=0;} n=abut_unit(stretch(p,w,s,x)); double h=height(p,n),g=height(p,abut_neg(n)); if(g<h){h=g;n=abut_neg(n);}
    int k=0;for(int j=1;j<K;j++)if(hb[j]>hb[k])k=j; if(h<hb[k]){hb[k]=h;best[k]=n;} }
  double h=height(p,first);*arg=first; abut_vec3 n=first; double g=improve(p,r,&n,h,150); if(g<h){h=g;*arg=n;} static long cnt,own; double ho=INFINITY;
  for(int k=0;k<K;k++){ n=best[k]; g=improve(p,r,&n,hb[k],200); if(g<ho)ho=g; if(g<h){h=g;*arg=n;} } cnt++; own+=ho<=h*(1+1e-3); if(cnt%500==0)printf("own %ld of %ld\n",own,cnt);
  return h;}
static void random_half(random_state*r,big_body*b,double decades){ abut_vec3 h; int f=random_below(r,4); double s=pow(10,-random_range(r,0,decades)); if(random_below(r,3)==0)s=pow(10,-floor(random_range(r,0,decades+1)));
  h=f==0?abut_vec3_make(1,1,s):f==1?abut_vec3_make(s,s,1):f==2?abut_vec3_make(1,pow(10,-random_range(r,0,decades)),s):abut_vec3_make(1,s,sqrt(s)); 
  if(random_below(r,2)){h=abut_vec3_make(h.x*random_range(r,.5,1),h.y*random_range(r,.5,1),h.z*random_range(r,.5,1));}
  int t=random_below(r,3); while(t--)h=abut_vec3_make(h.z,h.x,h.y); b->half=h; }
int main(int argc,char**argv){
  uint64_t first=strtoull(argv[1],0,0); int n=atoi(argv[2]); double decades=atof(argv[3]); int kinds=argc>4?atoi(argv[4]):0;
  const char*kn[]={"ball","capsule","box","points","ellipsoid","superq","plane"};
  long bad=0,apart=0,over=0,badd[8]={0},growths=0,growthbad=0; double worst=0;
  for(int it=0;it<n;it++){
    uint64_t seed=first+(uint64_t)it; random_state rs=random_make(seed),*r=&rs;
    big_body A={.kind=BIG_ELLIPSOID,.size=1},B=A; if(kinds==1){int k[]={BIG_ELLIPSOID,BIG_SUPERQUADRIC,BIG_BALL,BIG_CAPSULE,BIG_BOX,BIG_POINTS};A.kind=k[random_below(r,2)];B.kind=k[random_below(r,6)];}
    random_half(r,&A,decades);random_half(r,&B,decades); A.e1=random_range(r,.2,1.8);A.e2=random_range(r,.2,1.8);B.e1=random_range(r,.2,1.8);B.e2=random_range(r,.2,1.8);
    B.radius=B.half.x;B.half_length=B.half.z; if(B.kind==BIG_POINTS){B.point_count=4+random_below(r,10);for(int i=0;i<B.point_count;i++){abut_vec3 d=random_direction(r);B.point[i]=abut_vec3_make(d.x*B.half.x,d.y*B.half.y,d.z*B.half.z);}}
    double sb=random_below(r,2)?1:pow(10,-random_range(r,0,3)); B.half=abut_scale(sb,B.half);B.radius*=sb;B.half_length*=sb;for(int i=0;i<B.point_count;i++)B.point[i]=abut_scale(sb,B.point[i]);
    abut_shape*a=big_body_make(&A),*b=big_body_make(&B); if(!a||!b){if(a)abut_shape_release(a);if(b)abut_shape_release(b);continue;}
    prob P={&A,&B}; P.pa=(abut_pose){{0,0,0},random_below(r,4)?random_rotation(r):abut_quat_identity()};P.pb=(abut_pose){{0,0,0},random_below(r,4)?random_rotation(r):abut_quat_identity()}; if(random_below(r,6)==0)P.pb.rotation=P.pa.rotation;
    P.ra=abut_mat3_from_quat(P.pa.rotation);P.rb=abut_mat3_from_quat(P.pb.rotation);
    /* place near touching along a normal */
    abut_vec3 x=random_direction(r),nn=random_below(r,3)?stretch(&P,random_below(r,2),random_below(r,2)?1:random_range(r,0,2),x):x; nn=abut_unit(nn);
    double reach=height(&P,nn); double g; int m=random_below(r,4); g=m==0?-reach*random_range(r,0,1):m==1?reach*pow(10,-random_range(r,1,7)):m==2?-reach*pow(10,-random_range(r,1,7)):reach*random_range(r,0,1);
    if(getenv("DEEP")) g=random_below(r,2)?-reach*pow(10,-random_range(r,0,decades)):random_below(r,2)?-reach*random_range(r,0,1):reach*pow(10,-random_range(r,3,decades+2)); abut_vec3 u,v;abut_tangent_frame(nn,&u,&v); double lat=random_below(r,2)?0:pow(10,-random_range(r,0,decades));
    P.pa.position=abut_add(abut_scale(-(reach+g),nn),abut_add(abut_scale(lat*random_range(r,-.5,.5),u),abut_scale(lat*random_range(r,-.5,.5),v))); if(random_below(r,16)==0)P.pa.position=abut_vec3_make(0,0,0);
    P.d=P.pa.position;
    abut_separation s; abut_status st=abut_distance(&(abut_pair){a,P.pa,b,P.pb},NULL,NULL,&s);
    double scale=1+abut_length(P.d); double err=0; int what=0;
    abut_vec3 dir=abut_neg(s.normal),arg; 
    big_pose Pa=big_pose_of(P.pa),Pb=big_pose_of(P.pb);
    bigv N=bigv_of(dir);
    if(st!=ABUT_OK){err=1;what=1;}
    else { double h=big_double(big_add(big_body_support(&A,&Pa,N),big_body_support(&B,&Pb,bigv_of(s.normal))));
      double mism=fabs(h+s.gap); if(mism>1e-13*scale){err=mism;what=2;}
      if(s.gap>0){ apart++; double len=abut_length(abut_add_scaled(abut_sub(s.on_a,s.on_b),-s.gap,s.normal)); double oa=fabs(big_body_outside(&A,&Pa,bigv_of(s.on_a))),ob=fabs(big_body_outside(&B,&Pb,bigv_of(s.on_b)));
        double w=fmax(len,fmax(oa,ob)); if(!(w<=1e-12*scale)){err=w;what=3;}}
      else {over++; double l=least(&P,r,dir,&arg); if(l<0){ double lb=big_double(big_add(big_body_support(&A,&Pa,bigv_of(arg)),big_body_support(&B,&Pb,bigv_of(abut_neg(arg))))); if(lb<-1e-13*scale){err=-lb;what=4;} }
        else { double rel=(h-l)/l; if(rel>worst&&h-l>1e-13*scale)worst=rel; if(rel>2e-5&&h-l>1e-13*scale){err=rel;what=5;} } }
    }
    if(what){bad++;badd[what]++; if(bad<25)printf("seed %lu %s %s what %d err %.3e gap %.3e hA %.1e %.1e %.1e hB %.1e %.1e %.1e\n",(unsigned long)seed,kn[A.kind],kn[B.kind],what,err,s.gap,A.half.x,A.half.y,A.half.z,B.half.x,B.half.y,B.half.z);}
    abut_growth gr; growths++; if(abut_length(P.d)>0){st=abut_growth_distance(&(abut_pair){a,P.pa,b,P.pb},NULL,&gr); if(st!=ABUT_OK){growthbad++; if(growthbad<10)printf("seed %lu growth status %d alpha %.6g lower %.6g\n",(unsigned long)seed,st,gr.alpha,gr.alpha_lower);}}
    abut_shape_release(a);abut_shape_release(b);
  }
  printf("decades %g: apart %ld over %ld bad %ld: status %ld gap-mismatch %ld points %ld false overlap %ld too deep %ld (worst rel %.2e) growth %ld of %ld\n",decades,apart,over,bad,badd[1],badd[2],badd[3],badd[4],badd[5],worst,growthbad,growths);
}
