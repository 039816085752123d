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
  readonly name: string
  readonly options: Omit<PostgresOptions, 'pool'> & { readonly url: string }
}

/** `postgres://…`, or any other address: a file of such a name would be a mistake. */
const ADDRESS = /^\s*((?:[a-z][a-z\d+.-]+:)+\/\/|postgres(ql)?:)/i

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

export function isSecured(place: StorePlace): boolean {
  return place.kind === 'postgres' && place.options.rowSecurity === true
}

export function isMissing(place: StorePlace): boolean {
  return place.kind === 'file' && !statSync(place.path, { throwIfNoEntry: false })?.size
}

const MAX_PORT = 65_535

function readAddress(url: string) {
  if (!/^postgres(ql)?:\/\//.test(url)) return undefined
  const address = URL.parse(url) ?? URL.parse(url.replace('@/', '@-/'))
  if (address === null) return undefined
  const { host = hostOf(address), port = address.port } = Object.fromEntries(address.searchParams)
  if (host === undefined || !/^\d*$/.test(port) || Number(port) > MAX_PORT) return undefined
  return { host, port, database: address.pathname }
}

function hostOf({ hostname }: URL): string | undefined {
  try {
    return hostname === '-' ? '' : decodeURIComponent(hostname)
  } catch {
    return undefined
  }
}
