import { join } from 'node:path'
import { UsageError } from '../../usage-error.ts'

/** Ids are names of files: nothing that leads elsewhere. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Where everything of one chat lies. */
export interface RecordPaths {
  readonly record: string
  readonly lock: string
  /** Engines put theirs beside it. */
  readonly store: string
}

/** @throws UsageError for an id that no chat has. */
export function recordPaths(home: string, id: string): RecordPaths {
  if (!ID.test(id))
    throw new UsageError(`"${id}" is not the id of a session; palimpsest chat --list shows them`)
  return {
    record: join(chatsFolder(home), `${id}.jsonl`),
    lock: join(home, 'locks', id),
    store: join(home, 'stores', id),
  }
}

export function chatsFolder(home: string): string {
  return join(home, 'chats')
}
