import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** A folder on a disk of its own. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no room. */
  fill(): void
  /** Gives the room back. */
  clear(): void
  /** From now on it can only be read. No file of it may be open. */
  protect(): void
}

/** Why there may be none: for the reason of a test that is skipped. */
export const NO_DISK = 'this user may not mount a disk'

/** A disk of some bytes, in memory; undefined where this user may not mount one. It is gone when the test is over. */
export async function smallDisk(bytes: number): Promise<SmallDisk | undefined> {
  const folder = await temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'w')
      // Smaller and smaller pieces, until not even a sector goes in.
      for (let size = 1 << 20; size >= 512; )
        try {
          writeSync(file, Buffer.alloc(size))
        } catch {
          size >>= 1
        }
      closeSync(file)
    },
    clear: () => rmSync(ballast),
    protect: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
  }
}
