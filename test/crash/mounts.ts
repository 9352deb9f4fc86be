import {execFileSync} from "node:child_process";
import {copyFileSync, mkdirSync} from "node:fs";

/** Why nothing can be mounted here; null if it can. */
export function cannotMount(): string | null {
  if (process.getuid?.() !== 0) return "needs root";
  try {
    run("mkfs.ext4", "-V");
    return null;
  } catch {
    return "needs mkfs.ext4";
  }
}

/** Makes an ext4 image of so many MiB and mounts it. */
export function mountNewImage(image: string, folder: string, mib: number): void {
  run("dd", "if=/dev/zero", `of=${image}`, "bs=1M", `count=${mib}`, "status=none");
  // No blocks reserved for root, so that free space is free for the test too.
  run("mkfs.ext4", "-q", "-F", "-m", "0", image);
  mountImage(image, folder);
}

/** Mounts an image, replaying its journal as after a power cut. */
export function mountImage(image: string, folder: string): void {
  mkdirSync(folder, {recursive: true});
  run("mount", "-o", "loop", image, folder);
}

export function mountMemory(folder: string, mib: number): void {
  mkdirSync(folder, {recursive: true});
  run("mount", "-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", folder);
}

export function unmount(folder: string): void {
  run("umount", folder);
}

/** Lazily unmounts a disk whose files this process has mapped: it disappears with the mappings. */
export function unmountMapped(folder: string): void {
  run("umount", "--lazy", folder);
}

/** The content of the disk after a power cut at this moment. */
export function copyImage(image: string, copy: string): void {
  copyFileSync(image, copy);
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, {stdio: ["ignore", "ignore", "pipe"]});
}
