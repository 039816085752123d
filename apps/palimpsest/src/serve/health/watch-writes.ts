import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { PalimpsestError } from '@palimpsest/core'
import { createSql, type Sql } from '@palimpsest/sqlite-kit'
import { describeWriteFault } from '../../write-fault.ts'

/** Methods of stores and of their sessions that write. */
const WRITES: ReadonlySet<string | symbol> = new Set([
  ...['append', 'commit', 'fork', 'forget', 'takeJob', 'releaseJob', 'acquireLease', 'releaseLease'],
])
/** Methods that give a session; the first of them may write. */
const OPENS: ReadonlySet<string | symbol> = new Set(['session', 'find', 'fork'])

/** Codes of writes that a disk, a permission or damage kept from the file; others are refused for what they are. */
const FAILED: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'STORE_CORRUPT', 'NOT_A_STORE'])

/** The writes to one file, and whether the last of them failed. */
export interface WriteWatch {
  /** Notes the end of a write: its error, or none. */
  note(error?: unknown): void
  /**
   * Throws the error of a write that failed, until one succeeds. What a disk or a permission was in the way of is tried: a
   * balancer that sends nothing to a service with a failed write would never see it well again.
   *
   * @param sql A connection that has the file for itself. Default: one is opened.
   */
  assertWell(path: string, sql?: Sql): void
}

export function createWriteWatch(): WriteWatch {
  let failure: PalimpsestError | undefined
  return {
    note(error) {
      if (error === undefined) failure = undefined
      else if (PalimpsestError.isInstance(error) && FAILED.has(error.code)) failure = error
    },
    assertWell(path, sql) {
      if (failure?.code === 'STORE_CORRUPT') throw failure
      if (failure !== undefined) assertWritable(path, sql)
      failure = undefined
    },
  }
}

/** The store of an engine, the writes of which are noted, and those of the sessions that it opens. */
export function noteWrites<Store extends object>(store: Store, watch: WriteWatch): Store {
  return new Proxy(store, {
    get(of, name) {
      const member = Reflect.get(of, name)
      if (typeof member !== 'function' || !(WRITES.has(name) || OPENS.has(name))) return member
      return async (...values: unknown[]) => {
        try {
          const result: unknown = await member.apply(of, values)
          // A job that another worker has is not written.
          if (result !== false && result !== null && WRITES.has(name)) watch.note()
          return OPENS.has(name) && isObject(result) ? noteWrites(result, watch) : result
        } catch (error) {
          if (WRITES.has(name) || name === 'session') watch.note(error)
          throw error
        }
      }
    },
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Bytes that a disk must have room for before a store that it was too full for is well again. */
const ROOM = 1_048_576

/** @throws PalimpsestError `STORE_UNAVAILABLE` unless there is room beside the file, and SQLite writes its first page. */
function assertWritable(path: string, sql?: Sql): void {
  try {
    tryToWrite(path, sql)
  } catch (cause) {
    const reason = describeWriteFault(path, cause)
    throw new PalimpsestError('STORE_UNAVAILABLE', `${path} cannot be written: ${reason}`, { cause })
  }
}

function tryToWrite(path: string, sql?: Sql): void {
  const probe = `${path}-probe`
  const file = openSync(probe, 'w', 0o600)
  try {
    if (writeSync(file, Buffer.alloc(ROOM)) < ROOM)
      throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
    fsyncSync(file)
  } finally {
    closeSync(file)
    rmSync(probe, { force: true })
  }
  const own = sql ?? createSql(new DatabaseSync(path))
  try {
    const version = own.get<{ user_version: number }>('PRAGMA user_version')?.user_version
    own.exec(`PRAGMA user_version = ${version}`)
  } finally {
    if (own !== sql) own.close()
  }
}
