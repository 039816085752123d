import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import {
  type ArtifactLine,
  fileLine,
  folderLine,
  MAX_FILE_LINES,
  type TouchedFile,
} from './artifact-lines.ts'
import { FolderCounts } from './common-folder.ts'

/** The lines about files, in the order in which these were touched first. */
export interface FileLines {
  /** Left out of the names; empty when there is none worth naming. */
  readonly folder: string
  readonly lines: readonly ArtifactLine[]
}

interface Folder {
  readonly files: Set<TouchedFile>
  /** Undefined once a file of it has changed. */
  line: ArtifactLine | undefined
}

/** The changes that the calls of a session made to files. What is read of them costs what has changed since the last time. */
export class TouchedFiles {
  /** Grows with each change. */
  version = 0
  /** Names that are touched for the first time and those that are not touched any more, as it happened. */
  readonly changes: string[] = []
  #touches: ArtifactTouch[] = []
  /** No touch is of a later message. */
  #newest = -1
  readonly #names = new Map<string, number>()
  readonly #paths = new FolderCounts()
  /** The folder that the names of `#files` begin in; undefined when they have to be read anew. */
  #below: string | undefined
  readonly #files = new Map<string, TouchedFile>()
  readonly #folders = new Map<string, Folder>()

  constructor(touches: readonly ArtifactTouch[] = []) {
    this.add(touches)
  }

  /** Oldest first, those that failed among them. */
  get touches(): readonly ArtifactTouch[] {
    return this.#touches
  }

  /** The names of files with their folders and without. */
  get names(): ReadonlyMap<string, unknown> {
    return this.#names
  }

  /** Number of files. */
  get size(): number {
    return this.#paths.size
  }

  add(touches: readonly ArtifactTouch[]): void {
    for (const touch of touches) {
      this.#touches.push(touch)
      this.#newest = Math.max(this.#newest, touch.message)
      this.#count(touch, 1)
      this.#place(touch)
    }
    this.version += touches.length
  }

  /** Forgets the calls of messages from one on. */
  takeBack(from: number): void {
    if (this.#newest < from) return
    const kept = this.#touches.filter(({ message }) => message < from)
    // Then what is left may have another order.
    if (kept.length > 0 && kept.at(-1) !== this.#touches[kept.length - 1]) this.#below = undefined
    const gone = this.#touches.filter(({ message }) => message >= from)
    this.#touches = kept
    this.#newest = from - 1
    for (const touch of gone.reverse()) {
      this.#count(touch, -1)
      this.#unplace(touch)
    }
    this.version++
  }

  /** `src/db.ts: edited, turn 12 (edited 3 times, read 2 times)`; by folder when they are many. Calls that failed do not count. */
  lines(): FileLines {
    const folder = this.#paths.common
    if (folder !== this.#below) {
      this.#files.clear()
      this.#folders.clear()
      this.#below = folder
      for (const touch of this.#touches) this.#place(touch)
    }
    const lines =
      this.#files.size <= MAX_FILE_LINES
        ? [...this.#files.values()].map(fileLine)
        : [...this.#folders].map(([name, inside]) => (inside.line ??= folderLine(name, [...inside.files])))
    return { folder, lines }
  }

  #count({ path }: ArtifactTouch, step: 1 | -1): void {
    this.#paths.count(path, step)
    for (const name of [path, path.slice(path.lastIndexOf('/') + 1)]) {
      const count = (this.#names.get(name) ?? 0) + step
      if (count === 0) this.#names.delete(name)
      else this.#names.set(name, count)
      if (count === 0 || (count === 1 && step === 1)) this.changes.push(name)
    }
  }

  #place(touch: ArtifactTouch): void {
    if (touch.failed || this.#below === undefined) return
    const path = this.#nameOf(touch)
    const file = this.#files.get(path) ?? { path, touches: [] }
    file.touches.push(touch)
    file.facts = undefined
    this.#files.set(path, file)
    const name = folderOf(path)
    const folder = this.#folders.get(name) ?? { files: new Set(), line: undefined }
    folder.files.add(file)
    folder.line = undefined
    this.#folders.set(name, folder)
  }

  /** Of the last touch. */
  #unplace(touch: ArtifactTouch): void {
    if (touch.failed || this.#below === undefined) return
    const path = this.#nameOf(touch)
    const name = folderOf(path)
    const [file, folder] = [this.#files.get(path), this.#folders.get(name)]
    if (file === undefined || folder === undefined) return
    file.touches.pop()
    file.facts = undefined
    folder.line = undefined
    if (file.touches.length > 0) return
    this.#files.delete(path)
    folder.files.delete(file)
    if (folder.files.size === 0) this.#folders.delete(name)
  }

  #nameOf({ path }: ArtifactTouch): string {
    const { length } = this.#below ?? ''
    return length > 0 && path.startsWith(this.#below ?? '') ? path.slice(length) : path
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
