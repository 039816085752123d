import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PostgresOptions } from '@palimpsest/postgres'
import { UsageError } from '../usage-error.ts'

export type StorePlace = FilePlace | DatabasePlace

interface FilePlace {
  readonly kind: 'file'
  readonly path: string
  readonly name: string
}

interface DatabasePlace {
  readonly kind: 'postgres'
  /** For people: the address without a user, a password and settings. */
  readonly name: string
  readonly options: Omit<PostgresOptions, 'pool'> & { readonly url: string }
}

/** `postgres://…`, and anything else that is the address of something: a file of such a name would be a mistake. */
const ADDRESS = /^\s*((?:[a-z][a-z\d+.-]+:)+\/\/|postgres(ql)?:)/i

/** The schema and the port that need not be named. */
const USUAL = { schema: 'palimpsest', port: '5432' }

export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

export function filePlace(path: string): FilePlace {
  const whole = resolve(path)
  return { kind: 'file', path: whole, name: whole }
}

export function databasePlace(options: DatabasePlace['options'], option: string): DatabasePlace {
  const url = options.url.trim()
  const address = readAddress(url)
  if (address === undefined)
    throw new UsageError(
      `${option} is not the address of a PostgreSQL database: write postgres://user:password@host:5432/database, ` +
        'with %40 for an @ in the password, %2F for a /, and so on',
    )
  const { host, port, database } = address
  const { schema = USUAL.schema } = options
  const at = port === '' || port === USUAL.port ? host : `${host}:${port}`
  const inSchema = schema === USUAL.schema ? '' : ` (schema ${schema})`
  return { kind: 'postgres', name: `postgres://${at}${database}${inSchema}`, options: { ...options, url } }
}

/** True where the server keeps the rows of other principals back, as far as the configuration says. */
export function isSecured(place: StorePlace): boolean {
  return place.kind === 'postgres' && place.options.rowSecurity === true
}

/** True for a file that is not there, or in which nothing stands yet. */
export function isMissing(place: StorePlace): boolean {
  return place.kind === 'file' && !statSync(place.path, { throwIfNoEntry: false })?.size
}

const MAX_PORT = 65_535

/** Reads an address by the rules of `pg`, where settings may name host and port. Undefined for what it would not take. */
function readAddress(url: string) {
  if (!/^postgres(ql)?:\/\//.test(url)) return undefined
  const address = URL.parse(url) ?? URL.parse(url.replace('@/', '@-/'))
  if (address === null) return undefined
  const { host = hostOf(address), port = address.port } = Object.fromEntries(address.searchParams)
  if (host === undefined || !/^\d*$/.test(port) || Number(port) > MAX_PORT) return undefined
  return { host, port, database: address.pathname }
}

/** The folder of a socket may stand in the place of a host, percent-encoded. */
function hostOf({ hostname }: URL): string | undefined {
  try {
    return hostname === '-' ? '' : decodeURIComponent(hostname)
  } catch {
    return undefined
  }
}
