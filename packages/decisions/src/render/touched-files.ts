import { atOnce, type Sliced } from '@palimpsest/core'
import type { ArtifactOperation, ArtifactTouch } from '../candidates/artifact-touch.ts'
import {
  type ArtifactLine,
  type FileTouch,
  factsOf,
  fileLine,
  folderLine,
  MAX_FILE_LINES,
  NAMED_IN_FOLDER,
} from './artifact-lines.ts'
import { FolderCounts } from './common-folder.ts'

/** Folders that have a line; of more, those of most value. Far fewer than so many fit. */
const MAX_FOLDER_LINES = 300

/** The lines about files, in the order in which these were touched first. */
export interface FileLines {
  /** Left out of the names; empty when there is none worth naming. */
  readonly folder: string
  readonly lines: readonly ArtifactLine[]
  /** All files, with those that have no line. */
  readonly files: number
}

type Touch = Omit<ArtifactTouch, 'call'>

interface Folder {
  /** As `#files` has them. */
  readonly files: number[]
  /** Undefined, as the line is, once a file of it has changed. */
  value: number | undefined
  line: ArtifactLine | undefined
}

const OPERATIONS: readonly ArtifactOperation[] = ['read', 'edited', 'created', 'deleted', 'searched']
const NONE = -1
/** Places of what is known of a touch: the index of its operation, `NONE` when it failed, and the touch of the same file before it. */
const [PATH, MESSAGE, TURN, OPERATION, BEFORE, FIELDS] = [0, 1, 2, 3, 4, 5]

/**
 * The changes that the calls of a session made to files. What is read of them costs what has changed since the last time. A
 * long history has many, so touches and paths are numbers, with what is known of each in lists that grow and shrink at their end.
 */
export class TouchedFiles {
  /** Grows with each change. */
  version = 0
  /** Names that are touched for the first time and those that are not touched any more, as it happened. */
  readonly changes: string[] = []
  /** Touches, `FIELDS` numbers for each. */
  #fields = new Int32Array(0)
  #touches = 0
  /** For each path, its first touch; and of the file that it stands for, the last touch, and the worth or NaN. */
  readonly #paths = {
    ...{ text: [] as string[], first: [] as number[] },
    ...{ last: [] as number[], worth: [] as number[] },
  }
  readonly #numbers = new Map<string, number>()
  /** Names without their folders, with the number of paths. */
  readonly #names = new Map<string, number>()
  readonly #inFolders = new FolderCounts()
  /** The folder that the names of files begin in. */
  #below = ''
  /** The files that a touch succeeded on, each by the number of the path that it was touched by first. */
  #files: number[] = []
  readonly #folders = new Map<string, Folder>()

  /** Number of files. */
  get size(): number {
    return this.#numbers.size
  }

  /** Whether a file has this name, with its folders or without. */
  has(name: string): boolean {
    return this.#numbers.has(name) || this.#names.has(name)
  }

  /** The names of files with their folders and without. */
  names(): ReadonlySet<string> {
    return new Set([...this.#numbers.keys(), ...this.#names.keys()])
  }

  add(touches: readonly Touch[]): void {
    for (const touch of touches) this.#push(touch)
    this.version += touches.length
  }

  /** Forgets the calls of messages from one on. */
  takeBack(from: number): void {
    let first = 0
    while (first < this.#touches && this.#get(first, MESSAGE) < from) first++
    if (first === this.#touches) return
    // Calls of earlier messages may have ended later.
    const kept: Touch[] = []
    while (this.#touches > first) {
      const touch = this.#pop()
      if (touch.message < from) kept.push(touch)
    }
    this.add(kept.reverse())
    this.version++
  }

  /** `src/db.ts: edited, turn 12 (edited 3 times, read 2 times)`; by folder when they are many. Calls that failed do not count. */
  lines(): FileLines {
    return atOnce(this.linesSliced())
  }

  /** `lines`, in slices. */
  *linesSliced(): Sliced<FileLines> {
    this.#findFolder()
    yield
    for (const folder of this.#folders.values()) {
      this.#valueOf(folder)
      yield
    }
    const lines =
      this.#files.length <= MAX_FILE_LINES
        ? this.#files.map((file) => fileLine({ path: this.#nameOf(file), touches: this.#touchesOf(file) }))
        : this.#worthNaming().map(([name, inside]) => (inside.line ??= this.#folderLine(name, inside)))
    return { folder: this.#below, lines, files: this.#files.length }
  }

  /** Names all files anew when most of them are in another folder than before. */
  #findFolder(): void {
    const folder = this.#inFolders.common
    if (folder === this.#below) return
    this.#files = []
    this.#folders.clear()
    this.#paths.last.fill(NONE)
    this.#below = folder
    for (let touch = 0; touch < this.#touches; touch++) this.#place(touch)
  }

  #push({ path, message, turn, operation, failed }: Touch): void {
    const at = this.#touches * FIELDS
    if (at === this.#fields.length) {
      const fields = new Int32Array(FIELDS * (this.#touches + (this.#touches >> 1) + 16))
      fields.set(this.#fields)
      this.#fields = fields
    }
    const done = failed ? NONE : OPERATIONS.indexOf(operation)
    this.#fields.set([this.#numbers.get(path) ?? this.#addPath(path), message, turn, done, NONE], at)
    this.#place(this.#touches++)
    // The folder is looked for whenever the list has doubled, so it is mostly known when a block is written.
    if ((this.#touches & (this.#touches - 1)) === 0) this.#findFolder()
  }

  #get(touch: number, field: number): number {
    return this.#fields[touch * FIELDS + field] as number
  }

  #addPath(path: string): number {
    const { text, first, last, worth } = this.#paths
    this.#numbers.set(path, text.length)
    this.#countPath(path, 1)
    first.push(this.#touches)
    last.push(NONE)
    worth.push(Number.NaN)
    return text.push(path) - 1
  }

  /** Takes the last touch away, and its path when it was the first: then that is the last path. */
  #pop(): Touch {
    const touch = --this.#touches
    this.#unplace(touch)
    const number = this.#get(touch, PATH)
    const { text, first, last, worth } = this.#paths
    const name = text[number] as string
    if (first[number] === touch) {
      this.#numbers.delete(name)
      this.#countPath(name, -1)
      for (const list of [text, first, last, worth]) list.pop()
    }
    const done = this.#get(touch, OPERATION)
    return {
      ...{ path: name, message: this.#get(touch, MESSAGE), turn: this.#get(touch, TURN) },
      ...{ operation: OPERATIONS[done] ?? 'read', failed: done === NONE },
    }
  }

  #countPath(path: string, step: 1 | -1): void {
    this.#inFolders.count(path, step)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name !== path) this.changes.push(path)
    const before = this.#names.get(name) ?? 0
    if (before + step === 0) this.#names.delete(name)
    else this.#names.set(name, before + step)
    if (before === 0 || before + step === 0) this.changes.push(name)
  }

  #place(touch: number): void {
    if (this.#get(touch, OPERATION) === NONE) return
    const file = this.#fileOf(touch)
    const { last, worth } = this.#paths
    const before = last[file] as number
    this.#fields[touch * FIELDS + BEFORE] = before
    last[file] = touch
    worth[file] = Number.NaN
    const name = folderOf(this.#nameOf(file))
    const folder = this.#folders.get(name)
    if (folder !== undefined) folder.line = folder.value = undefined
    if (before !== NONE) return
    this.#files.push(file)
    if (folder === undefined) this.#folders.set(name, { files: [file], value: undefined, line: undefined })
    else folder.files.push(file)
  }

  /** Of the last touch. */
  #unplace(touch: number): void {
    if (this.#get(touch, OPERATION) === NONE) return
    const file = this.#fileOf(touch)
    const { last, worth } = this.#paths
    last[file] = this.#get(touch, BEFORE)
    worth[file] = Number.NaN
    const name = folderOf(this.#nameOf(file))
    const folder = this.#folders.get(name)
    if (folder === undefined) return
    folder.line = folder.value = undefined
    if (last[file] !== NONE) return
    this.#files.pop()
    folder.files.pop()
    if (folder.files.length === 0) this.#folders.delete(name)
  }

  /** A file may be touched by its whole path and by the rest of it. */
  #fileOf(touch: number): number {
    const path = this.#get(touch, PATH)
    const name = this.#nameOf(path)
    const whole = this.#paths.text[path] as string
    const other = this.#numbers.get(name === whole ? `${this.#below}${name}` : name)
    return other !== undefined && this.#paths.last[other] !== NONE ? other : path
  }

  #nameOf(path: number): string {
    const text = this.#paths.text[path] as string
    return text.startsWith(this.#below) ? text.slice(this.#below.length) : text
  }

  /** Of a file, oldest first. */
  #touchesOf(file: number): FileTouch[] {
    const touches: FileTouch[] = []
    for (let at = this.#paths.last[file] as number; at !== NONE; at = this.#get(at, BEFORE))
      touches.push({ operation: OPERATIONS[this.#get(at, OPERATION)] ?? 'read', turn: this.#get(at, TURN) })
    return touches.reverse()
  }

  /** In their order. */
  #worthNaming(): [string, Folder][] {
    const folders = [...this.#folders]
    if (folders.length <= MAX_FOLDER_LINES) return folders
    const ranked = folders.toSorted((a, b) => this.#valueOf(b[1]) - this.#valueOf(a[1]))
    const named = new Set(ranked.slice(0, MAX_FOLDER_LINES))
    return folders.filter((folder) => named.has(folder))
  }

  #valueOf(folder: Folder): number {
    if (folder.value === undefined) {
      const { worth } = this.#paths
      folder.value = 0
      for (const file of folder.files) {
        if (Number.isNaN(worth[file])) worth[file] = factsOf(this.#touchesOf(file)).value
        folder.value += worth[file] as number
      }
    }
    return folder.value
  }

  #folderLine(name: string, folder: Folder): ArtifactLine {
    const { worth } = this.#paths
    const value = this.#valueOf(folder)
    const named = folder.files
      .toSorted((a, b) => (worth[b] as number) - (worth[a] as number))
      .slice(0, NAMED_IN_FOLDER)
      .map((file) => ({ path: this.#nameOf(file), touches: this.#touchesOf(file) }))
    return folderLine(name, named, { files: folder.files.length, value })
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
