import type { ToolCall } from '@palimpsest/core'
import type { Random } from '../workload/random.ts'
import type { Vocabulary } from '../workload/vocabulary.ts'

/** A change of a file by a call, with its place in the conversation. */
export interface FileChange {
  /** The file's name without its folders. Of a renamed file both names are changed. */
  readonly file: string
  readonly message: number
}

export interface PlannedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
  readonly path: string
  /** Paths that are not afterwards what they were before. */
  readonly changed: readonly string[]
}

export type Workspace = ReturnType<typeof createWorkspace>

/** Files at the beginning; most are only ever looked at. */
const FILES = 60
const CHANGE_SHARE = 0.3
const CHANGES = { create: 0.15, remove: 0.08, rename: 0.08 } as const
const ACTIVE_FILES = 14
const EDIT_WORDS = [20, 120] as const

export function createWorkspace(random: Random, vocabulary: Vocabulary) {
  const known = new Set<string>()
  const named = new Set<string>()
  const fresh = (): string => {
    for (;;) {
      const path = vocabulary.path()
      if (known.has(fileName(path))) continue
      known.add(fileName(path))
      return path
    }
  }
  const paths = Array.from({ length: FILES }, fresh)
  const call = (name: string, args: Readonly<Record<string, string>>, ...changed: string[]): PlannedCall => {
    const path = changed.at(-1) ?? args.path ?? ''
    for (const each of [path, ...changed]) named.add(fileName(each))
    return { name, arguments: args, path, changed }
  }
  const look = (topicPath: string | undefined): PlannedCall => {
    const path = topicPath !== undefined && random.next() < 0.5 ? topicPath : random.pick(paths)
    return random.pick([
      () => call('read_file', { path }),
      () => call('search', { query: vocabulary.identifier(), path }),
    ])()
  }
  return {
    /** Names of all files that calls have named, without their folders. */
    files: (): readonly string[] => [...named],
    call(topicPath: string | undefined, words: (count: number) => string): PlannedCall {
      if (random.next() >= CHANGE_SHARE) return look(topicPath)
      const active = random.int(0, ACTIVE_FILES - 1)
      const path = paths[active] ?? ''
      const text = words(random.int(...EDIT_WORDS))
      const kind = random.next()
      if (kind < CHANGES.create) {
        const made = fresh()
        paths.push(made)
        return call('write_file', { path: made, content: text }, made)
      }
      if (kind < CHANGES.create + CHANGES.remove) {
        paths[active] = fresh()
        return call('bash', { command: `rm ${path}` }, path)
      }
      if (kind < CHANGES.create + CHANGES.remove + CHANGES.rename) {
        const renamed = fresh()
        paths[active] = renamed
        return call('bash', { command: `git mv ${path} ${renamed}` }, path, renamed)
      }
      const edited = topicPath !== undefined && random.next() < 0.25 ? topicPath : path
      return call('edit_file', { path: edited, old_string: words(8), new_string: text }, edited)
    },
  }
}

export function toToolCall(id: string, { name, arguments: args }: PlannedCall): ToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
