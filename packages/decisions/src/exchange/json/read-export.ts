import { lazily, z } from '@palimpsest/core/options'
import type { DecisionEvent, Scope } from '../../log/decision-event.ts'
import { hashText } from '../../log/hash-text.ts'
import { eventSchema, scopeSchema } from '../../store/event-schema.ts'
import { ExchangeError } from '../exchange-error.ts'

const headSchema = lazily(() => z.object({ format: z.literal(EXPORT_FORMAT.format), version: z.number() }))

const exportSchema = lazily(() =>
  z.object({ scope: scopeSchema(), events: z.array(eventSchema()), sha256: z.string() }),
)

/**
 * The scope and the events of an export whose hash fits.
 *
 * @throws ExchangeError
 */
export function readExport(text: string): {
  readonly scope: Scope
  readonly events: readonly DecisionEvent[]
} {
  if (text.length > MAX_EXPORT_CHARACTERS)
    throw new ExchangeError(
      'EXPORT_TOO_LARGE',
      `the export has ${text.length} characters, and ${MAX_EXPORT_CHARACTERS} are read at most; export the scopes one by one`,
    )
  const value = parse(text)
  const head = headSchema().safeParse(value)
  if (!head.success)
    throw notAnExport(`it does not begin with "format": "${EXPORT_FORMAT.format}" and a version`)
  if (head.data.version > EXPORT_FORMAT.version)
    throw new ExchangeError(
      'EXPORT_TOO_NEW',
      `the export has version ${head.data.version}, and up to ${EXPORT_FORMAT.version} is understood; update Palimpsest`,
    )
  const result = exportSchema().safeParse(value)
  if (!result.success) throw damaged(place(result.error), result.error)
  const { scope, events, sha256 } = result.data
  if (exportHash(scope, events.map(canonicalJson)) !== sha256)
    throw damaged('the hash at its end does not fit')
  return { scope: scope as Scope, events: events as DecisionEvent[] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const isCut = text.trimStart().startsWith(`{"format":"${EXPORT_FORMAT.format}"`)
    throw isCut ? damaged('it is cut off', cause) : notAnExport('it is no JSON', cause)
  }
}

/** The first fault, with its path. */
function place(error: z.ZodError): string {
  const [issue] = error.issues
  return issue === undefined ? 'it has another shape' : `${issue.path.join('.')}: ${issue.message}`
}

function notAnExport(reason: string, cause?: unknown): ExchangeError {
  return new ExchangeError(
    'NOT_AN_EXPORT',
    `this is no export of decisions (${reason}); use what palimpsest decisions export wrote`,
    { cause },
  )
}

function damaged(reason: string, cause?: unknown): ExchangeError {
  return new ExchangeError(
    'EXPORT_DAMAGED',
    `the export was changed or damaged since it was written (${reason}); take another copy of it`,
    { cause },
  )
}

/** The head of an export. `version` grows when an older reader would read it wrong. */
export const EXPORT_FORMAT = { format: 'palimpsest-decisions', version: 1 } as const

/** Characters of an export that is read; a log of 100,000 events has about half of that. */
const MAX_EXPORT_CHARACTERS = 128 * 1024 * 1024

/** JSON whose members are in one order: the same value is the same text, whoever wrote it down. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  )
}

/** SHA-256 of a scope and its events, one to a line, in hexadecimal. */
export function exportHash(scope: string, lines: readonly string[]): string {
  return hashText([scope, ...lines].join('\n'))
}
