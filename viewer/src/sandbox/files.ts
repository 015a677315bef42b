/** Files that are dropped on the page or chosen: one scene and the meshes that it names. Files that the page makes: to be saved. */
import type { SceneFile } from './protocol';

export interface Opened {
  name: string;
  text: string;
  files: SceneFile[];
}

/**
 * Reads them. A scene names its meshes by paths; dropped files have names only, so each goes where the scene looks for it.
 */
export async function openFiles(list: Iterable<File>): Promise<Opened> {
  const all = [...list];
  const scenes = all.filter((file) => /\.json$/i.test(file.name));
  if (scenes.length !== 1) {
    throw new Error(scenes.length === 0 ? 'No scene among the files: a scene is a .json file' : 'More than one scene: drop one .json file at a time, with its meshes');
  }
  const text = await scenes[0].text();
  const paths = [...text.matchAll(/"file"\s*:\s*("(?:[^"\\]|\\.)*")/g)].map((match) => JSON.parse(match[1]) as string);
  const files = await Promise.all(all.filter((file) => file !== scenes[0]).map(async (file) => {
    const content = new Uint8Array(await file.arrayBuffer());
    const wanted = paths.filter((path) => path.split('/').at(-1) === file.name);
    return (wanted.length > 0 ? wanted : [file.name]).map((path) => ({ path, content }));
  }));
  return { name: scenes[0].name, text, files: files.flat() };
}

/** Files dropped anywhere on the page. */
export function acceptDrops(over: (on: boolean) => void, drop: (files: FileList) => void): void {
  let depth = 0;
  window.addEventListener('dragenter', (event) => {
    event.preventDefault();
    over(++depth > 0);
  });
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('dragleave', () => {
    depth = Math.max(depth - 1, 0);
    if (depth === 0) over(false);
  });
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    if (event.dataTransfer?.files.length) drop(event.dataTransfer.files);
  });
}

/** Hands the browser a file to save. */
export function saveFile(name: string, parts: string[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
