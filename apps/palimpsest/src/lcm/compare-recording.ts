import { type LcmSession, liveSeqs, messageRef, storedBeginning, summaryRef } from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { type ToolAnswer, toolRunner } from './run-tool.ts'

export interface Comparison {
  /** Messages of the recording. */
  readonly messages: number
  /** Stored with exactly their JSON text. */
  readonly equal: number
  /** Stored messages that are another one than the recording has at their place. */
  readonly different: readonly string[]
  /** Stored messages that were deleted on request. */
  readonly forgotten: readonly string[]
  /** Messages of the recording behind the end of the session. */
  readonly missing: number
  /** Messages of the session behind the end of the recording. */
  readonly further: number
  /** These begin with the whole recording once more: it was stored twice. */
  readonly repeated: boolean
  /** Summaries that were opened on the way from the frontier down to messages. */
  readonly summaries: number
  /** Messages that were found on that way. */
  readonly throughSummaries: number
  /** Messages that a summary of the frontier covers, and that were not found on that way. */
  readonly unreached: readonly string[]
}

/**
 * Compares every stored message of a session with a recording, then goes down from the frontier to the messages with
 * `lcm_expand` alone.
 */
export async function compareRecording(
  session: LcmSession,
  entries: readonly TranscriptEntry[],
  onProgress: (done: number) => void,
): Promise<Comparison> {
  const run = toolRunner(session)
  const seqs = liveSeqs(await session.head())
  const refs = seqs.map(messageRef)
  const different: string[] = []
  const forgotten: string[] = []
  let equal = 0
  for (const [index, { message }] of entries.entries()) {
    const seq = seqs[index]
    if (seq === undefined) break
    // `lcm_expand` would read the whole message again for each page of it.
    const [stored] = await session.messages({ first: seq, last: seq, limit: 1 })
    if (stored?.forgotten !== undefined) forgotten.push(messageRef(seq))
    else if (stored?.json === JSON.stringify(message)) equal++
    else different.push(messageRef(seq))
    onProgress(index + 1)
  }
  const { nodes } = await session.frontier()
  const opened = await openSummaries(
    run,
    nodes.map(({ number }) => summaryRef(number)),
  )
  const covered =
    nodes.length === 0 ? [] : refs.filter((ref) => isWithin(ref, nodes[0]?.first, nodes.at(-1)?.last))
  const again = await storedBeginning(
    session,
    seqs.slice(entries.length),
    entries.map(({ message }) => message),
  )
  return {
    messages: entries.length,
    equal,
    different,
    forgotten,
    missing: Math.max(0, entries.length - refs.length),
    further: Math.max(0, refs.length - entries.length),
    repeated: again === entries.length,
    summaries: opened.summaries,
    throughSummaries: covered.filter((ref) => opened.messages.has(ref)).length,
    unreached: covered.filter((ref) => !opened.messages.has(ref)),
  }
}

type RunTool = ReturnType<typeof toolRunner>

async function openSummaries(run: RunTool, roots: readonly string[]) {
  const messages = new Set<string>()
  const waiting = [...roots]
  const seen = new Set(roots)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (let offset: unknown = 0; typeof offset === 'number'; ) {
      const page: ToolAnswer = await run('lcm_expand', { id, offset, limit: 100 })
      for (const { ref } of page.sources as { ref: string }[]) {
        if (ref.startsWith('m')) messages.add(ref)
        else if (!seen.has(ref)) {
          seen.add(ref)
          waiting.push(ref)
        }
      }
      offset = page.next
    }
  }
  return { messages, summaries: seen.size }
}

function isWithin(ref: string, first = 0, last = -1): boolean {
  const seq = Number(ref.slice(1))
  return seq >= first && seq <= last
}
