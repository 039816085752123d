import { DatabaseError } from 'pg'
import type { DatabaseErrorCode, DatabaseFormat } from './database-format.ts'
import { LostConnection, NoConnection, waitedInVain } from './lost-connection.ts'

const MEANINGS: readonly (readonly [string, DatabaseErrorCode, (at: string) => string])[] = [
  ['28', 'STORE_UNAVAILABLE', (at) => `${at} refused the user or the password; check the address`],
  ['3D000', 'STORE_UNAVAILABLE', (at) => `there is no database ${at}; create it, or check the address`],
  [
    '42501',
    'STORE_UNAVAILABLE',
    (at) => `the user may not do that in ${at}; grant what the readme of @palimpsest/postgres lists`,
  ],
  ['25006', 'STORE_UNAVAILABLE', (at) => `${at} is read-only; connect to the primary server`],
  ['42P01', 'NOT_A_STORE', (at) => `tables are missing in ${at}; restore a backup, or begin another schema`],
  ['42P07', 'NOT_A_STORE', (at) => `there are other tables of these names in ${at}; choose another schema`],
  ['57014', 'STORE_BUSY', (at) => `a statement in ${at} was cancelled or took too long; try again later`],
  ['55P03', 'STORE_BUSY', (at) => `other writers keep ${at} locked; try again later`],
  ['40', 'STORE_BUSY', (at) => `other writers of ${at} were faster again and again; try again later`],
  ['53300', 'STORE_BUSY', (at) => `${at} has no connection left; make pools smaller, or use a pooler`],
  ['53', 'STORE_UNAVAILABLE', (at) => `${at} has no memory or space left; free some`],
  ['57P', 'STORE_UNAVAILABLE', (at) => `${at} is starting or shutting down; try again later`],
  ['XX00', 'STORE_CORRUPT', (at) => `${at} is damaged; check its disk and restore a backup`],
]

/** `pg`'s message if the server asks for a missing password; it has no code. */
const NO_PASSWORD = /client password must be a (non-empty )?string/

export function toStoreError(error: unknown, at: string, format: DatabaseFormat): unknown {
  if (error instanceof NoConnection) return toConnectError(error, at, format)
  const options = { cause: error }
  if (error instanceof LostConnection)
    return format.error(
      'STORE_UNAVAILABLE',
      `the connection to ${at} was lost; nothing was written, try again`,
      options,
    )
  if (!(error instanceof DatabaseError)) return error
  const known = MEANINGS.find(([state]) => error.code?.startsWith(state))
  if (known !== undefined) return format.error(known[1], known[2](at), options)
  // The server's message names only tables and types; `detail`, which may quote a row, stays in the cause.
  const detail = `${at} refused a statement (${error.code}: ${error.message})`
  return format.error('STORE_UNAVAILABLE', `${detail}; check its log`, options)
}

function toConnectError(failure: NoConnection, at: string, format: DatabaseFormat): unknown {
  const error = failure.cause
  if (error instanceof DatabaseError) return toStoreError(error, at, format)
  const options = { cause: error }
  const { message, code } = error as NodeJS.ErrnoException
  if (waitedInVain(failure))
    return format.error(
      'STORE_BUSY',
      `all connections to ${at} are in use; try again later, or raise poolSize`,
      options,
    )
  if (NO_PASSWORD.test(message))
    return format.error(
      'STORE_UNAVAILABLE',
      `${at} asks for a password; put it into the address, or into PGPASSWORD`,
      options,
    )
  const detail = code ?? message
  return format.error(
    'STORE_UNAVAILABLE',
    `${at} cannot be reached (${detail}); start the server, or check the address`,
    options,
  )
}

export function unknownOutcome(cause: unknown, at: string, format: DatabaseFormat): unknown {
  return format.error(
    'STORE_UNAVAILABLE',
    `the connection to ${at} was lost while a write was committed, which may have taken place; read it again`,
    { cause },
  )
}
