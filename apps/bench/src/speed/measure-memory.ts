import { freezeMessage, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { heldHeap } from './collect-garbage.ts'
import { catchUp, requestsOf } from './play-requests.ts'
import type { Subject } from './subjects.ts'

export interface MemoryRow {
  readonly what: string
  readonly messages: number
  /** Bytes that are still held behind a garbage collection, minus those before. */
  readonly heap: number
  /** Bytes of the messages as JSON. */
  readonly floor: number
}

/**
 * What stays in memory when a host has played a conversation and keeps nothing of it but the session: the transcript, what
 * the engine knows of it, and the counter's memory of its tokens. The first row is that of a host that has only the messages.
 * Call it when all of them have been at work: what code takes, and tables that outlive a session, counts for the first that uses
 * them.
 */
export async function measureMemory(
  subjects: readonly Subject[],
  messages: readonly Message[],
): Promise<MemoryRow[]> {
  const lines = messages.map((message) => JSON.stringify(message))
  const floor = lines.reduce((bytes, line) => bytes + Buffer.byteLength(line), 0)
  const read = () => lines.map(readMessage)
  // Garbage of what was measured before takes more than one look to go.
  await heldHeap()
  const row = (what: string, heap: number): MemoryRow => ({ what, messages: lines.length, heap, floor })
  const rows = [row('the messages alone', await heldBy(async () => ({ held: read(), end: () => {} })))]
  for (const subject of subjects) rows.push(row(subject.name, await heldBy(() => play(subject, read()))))
  return rows
}

/** Something that is in memory until it is ended. */
interface Holder {
  readonly held: unknown
  end(): Promise<void> | void
}

async function heldBy(open: () => Promise<Holder>): Promise<number> {
  const before = await heldHeap()
  const holder = await open()
  const after = await heldHeap()
  await holder.end()
  return after - before
}

async function play(subject: Subject, messages: readonly Message[]): Promise<Holder> {
  const tokens = createTokenCounter()
  const session = subject.open(tokens)
  await catchUp(session, { messages, requests: requestsOf(messages), tokens })
  await session.prepare(messages)
  return { held: session, end: () => session.end() }
}

function readMessage(line: string): Message {
  const message: Message = JSON.parse(line)
  return freezeMessage(message)
}
