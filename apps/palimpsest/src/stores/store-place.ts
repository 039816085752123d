import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PostgresOptions } from '@palimpsest/postgres'
import { UsageError } from '../usage-error.ts'

/** Where a store is. */
export type StorePlace = FilePlace | DatabasePlace

/** A file of SQLite. */
export interface FilePlace {
  readonly kind: 'file'
  readonly path: string
  /** For people. */
  readonly name: string
}

/** Tables in a PostgreSQL database, which hold the stores of all engines side by side. */
export interface DatabasePlace {
  readonly kind: 'postgres'
  /** For people: the address without a user, a password and settings. */
  readonly name: string
  readonly options: Omit<PostgresOptions, 'pool'> & { readonly url: string }
}

/** True for what is the address of a database, and not a path. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

export function filePlace(path: string): FilePlace {
  const whole = resolve(path)
  return { kind: 'file', path: whole, name: whole }
}

/** @throws UsageError when it is no address; what it says does not repeat it. */
export function databasePlace(options: DatabasePlace['options']): DatabasePlace {
  const { url, schema } = options
  const address = URL.parse(url)
  if (!isDatabaseUrl(url) || address === null)
    throw new UsageError(
      'the address of the store is none: write postgres://user@host:5432/database, and %40 for an @ in a password',
    )
  const host = address.searchParams.get('host') ?? address.host
  const inSchema = schema === undefined ? '' : ` (schema ${schema})`
  return { kind: 'postgres', name: `postgres://${host}${address.pathname}${inSchema}`, options }
}

/** A store that belongs to another one: a file whose name has the suffix behind it, or other tables of the database. */
export function besidePlace(place: StorePlace, suffix: string): StorePlace {
  return place.kind === 'file' ? filePlace(`${place.path}${suffix}`) : place
}

/** True for a file that is not there, or in which nothing stands yet. */
export function isMissing(place: StorePlace): boolean {
  return place.kind === 'file' && !statSync(place.path, { throwIfNoEntry: false })?.size
}

/** Whether both are the same file, or the same tables. */
export function isSamePlace(left: StorePlace, right: StorePlace): boolean {
  return left.kind === right.kind && left.name === right.name
}
