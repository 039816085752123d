import { createWriteStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { exportStore } from '@palimpsest/lcm'
import { counted } from '../count.ts'
import { moveFile } from '../move-file.ts'
import { type OutputFile, openOutputs } from '../output-files.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { isSecured } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { describeWriteFault } from '../write-fault.ts'
import { assertPrincipal, assertSeesAll, chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines, writePart } from './output.ts'
import { printable } from './printable.ts'
import { readableSessions } from './readable-sessions.ts'
import { type OpenedStore, withStore } from './with-store.ts'

export interface ExportFlags extends SessionFlags {
  readonly out?: string
  /** Replace the file when it is there. */
  readonly force?: boolean
  readonly allPrincipals?: boolean
}

interface Export {
  readonly lines: AsyncIterable<string>
  readonly unreadable: number
}

/**
 * `palimpsest lcm export`: the sessions of a principal, or one with what it was forked from, as JSON lines. A session
 * that cannot be read is named and left out; the exit code is 1 then.
 */
export async function exportSessions(flags: ExportFlags): Promise<number> {
  if (flags.json && flags.out === undefined)
    throw new UsageError('the export itself is JSON lines: use --json with --out <file>, for the result')
  return withStore(flags, 'read', async (opened) => {
    const [output] = await openOutputs({ '--out': flags.out }, [opened.place.name])
    if (output?.isRegular && !flags.force && existsSync(output.path))
      throw new UsageError(`--out: ${output.path} is there already; --force replaces it`)
    const { lines, unreadable } = await openExport(opened, flags)
    const code = unreadable === 0 ? 0 : EXIT_FOUND
    if (output === undefined) {
      for await (const line of lines) await writePart(process.stdout, `${line}\n`)
      return code
    }
    const manifest = await withProgress('exporting', 'messages', async (onProgress) => {
      const { messages: total } = await opened.store.stats()
      return writeLines(
        output,
        counting(lines, (done) => onProgress(done, total)),
      )
    })
    const { sessions, messages, summaries, sha256 } = JSON.parse(manifest)
    if (flags.json) printJson({ file: output.path, sessions, messages, summaries, sha256, unreadable })
    else {
      const parts = [
        counted(sessions, 'session'),
        counted(messages, 'message'),
        counted(summaries, 'summary', 'summaries'),
      ]
      printLines(`${output.path}: ${parts.join(', ')}, sha256 ${sha256}`)
    }
    return code
  })
}

async function openExport(opened: OpenedStore, { session, allPrincipals }: ExportFlags): Promise<Export> {
  if (session !== undefined) {
    const { principal, key } = await chooseSession(opened, session)
    return { lines: exportStore(opened.store, { sessions: [{ principal, key }] }), unreadable: 0 }
  }
  if (allPrincipals) await assertSeesAll(opened)
  else if (isSecured(opened.place) || (await opened.store.stats()).sessions > 0) await assertPrincipal(opened)
  const { sessions, unreadable } = await readableSessions(
    opened,
    allPrincipals ? undefined : opened.principal,
  )
  for (const { ref, reason } of unreadable)
    process.stderr.write(`palimpsest: left out: ${printable(ref.key)} cannot be read: ${printable(reason)}\n`)
  return { lines: exportStore(opened.store, { sessions }), unreadable: unreadable.length }
}

async function* counting(
  lines: AsyncIterable<string>,
  onMessages: (done: number) => void,
): AsyncGenerator<string> {
  let messages = 0
  for await (const line of lines) {
    if (line.startsWith('{"type":"message"')) onMessages(++messages)
    yield line
  }
}

/** Writes the lines, readable by their owner alone; a regular file appears whole or not at all. Returns the last line. */
async function writeLines({ path, isRegular }: OutputFile, lines: AsyncIterable<string>): Promise<string> {
  const to = isRegular ? join(dirname(path), `.palimpsest-${process.pid}`) : path
  let last = ''
  try {
    const stream = createWriteStream(to, { mode: 0o600 })
    const done = finished(stream)
    // A fault while writing is met at the end, or by the next part.
    done.catch(() => {})
    for await (const line of lines) {
      if (stream.destroyed) break
      await Promise.race([writePart(stream, `${line}\n`), done])
      last = line
    }
    stream.end()
    await done
    if (isRegular) await moveFile(to, path)
    return last
  } catch (cause) {
    if (isRegular) await rm(to, { force: true })
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new UsageError(`--out: ${path} cannot be written: ${describeWriteFault(path, cause)}`, { cause })
  }
}
