import { createHash } from 'node:crypto'
import { errorText } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import { createRecordChecker } from './create-record-checker.ts'
import { DUMP_HEADER, type DumpManifest, dumpHeaderSchema, dumpLineSchema } from './dump-schema.ts'
import { invalidDump } from './invalid-dump.ts'

/**
 * The records of an export, one by one. A fault is reported when it is reached: read to the end before you use half
 * of it.
 *
 * @param lines Without newlines.
 * @throws StoreError `INVALID_DUMP`, with the number of the line.
 */
export async function* readDump(lines: AsyncIterable<string>): AsyncGenerator<DumpRecord> {
  const digest = createHash('sha256')
  const checker = createRecordChecker()
  const counts = { session: 0, message: 0, summary: 0, frontier: 0 }
  let manifest: DumpManifest | undefined
  let number = 0
  for await (const line of lines) {
    number++
    const entry = atLine(number, () => readLine(line, number, manifest))
    if (entry?.type === 'manifest') {
      atLine(number, () => checkManifest(line, entry, counts, digest.digest('hex')))
      manifest = entry
      continue
    }
    digest.update(`${line}\n`)
    if (entry === undefined) continue
    atLine(number, () => checker.take(entry))
    counts[entry.type]++
    yield entry
  }
  if (manifest === undefined) throw invalidDump(`it ends behind line ${number}, without its last line`)
  atLine(number, checker.end)
}

/** The entry of a line; undefined for the header. */
function readLine(line: string, number: number, manifest: DumpManifest | undefined) {
  if (manifest !== undefined) throw invalidDump('something comes behind the last line')
  const value: unknown = parseJson(line)
  if (number === 1) {
    const header = dumpHeaderSchema().safeParse(value)
    if (!header.success) throw invalidDump('this is no export of a store')
    if (header.data.version !== DUMP_HEADER.version)
      throw new StoreError(
        'INVALID_DUMP',
        `version ${header.data.version} of the format is not known; update this package`,
      )
    return undefined
  }
  const entry = dumpLineSchema().safeParse(value)
  if (!entry.success) throw invalidDump('it is no record', entry.error)
  return entry.data
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw invalidDump('it is no JSON', cause)
  }
}

function checkManifest(
  line: string,
  manifest: DumpManifest,
  counts: Readonly<Record<DumpRecord['type'], number>>,
  found: string,
): void {
  const { sessions, messages, summaries, sha256 } = manifest
  if (sessions !== counts.session || messages !== counts.message || summaries !== counts.summary)
    throw invalidDump('records are missing or were added')
  if (sha256 !== found) throw invalidDump('a line before it was changed')
  if (line !== JSON.stringify(manifest)) throw invalidDump('it was changed')
}

/** Says in which line it went wrong. */
function atLine<T>(number: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
    throw new StoreError(error.code, `line ${number}: ${errorText(error)}`, { cause: error })
  }
}
