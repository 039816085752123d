import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { freezeMessage, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Engine } from '../arms/engine-arm.ts'
import { requestsOf } from '../arms/play-arm.ts'
import { catchUp, openSession } from './play-requests.ts'

/**
 * Memory of a host that keeps nothing but the session. The first row is a host that has only the messages. Call it when all
 * subjects have been at work: code and lasting tables count for the first that uses them.
 */
export async function measureMemory(subjects: readonly Engine[], messages: readonly Message[]) {
  const lines = messages.map((message) => JSON.stringify(message))
  const floor = lines.reduce((bytes, line) => bytes + Buffer.byteLength(line), 0)
  const read = () => lines.map(readMessage)
  // Garbage of what was measured before takes more than one look to go.
  await heldHeap()
  const row = (what: string, heap: number) => ({ what, messages: lines.length, heap, floor })
  const rows = [row('the messages alone', await heldBy(async () => ({ held: read(), end: () => {} })))]
  for (const subject of subjects) rows.push(row(subject.name, await heldBy(() => play(subject, read()))))
  return rows
}

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

async function play(subject: Engine, messages: readonly Message[]): Promise<Holder> {
  const tokens = createTokenCounter()
  const session = openSession(subject, tokens)
  await catchUp(session, { messages, requests: requestsOf(messages), tokens })
  await session.prepare(messages)
  return { held: session, end: () => session.end() }
}

function readMessage(line: string): Message {
  const message: Message = JSON.parse(line)
  return freezeMessage(message)
}

/** Node shows its collector only to those who ask for it; a context that is made behind this line has it. */
setFlagsFromString('--expose-gc')
// Code that was not run for a while would go, and come back when it is.
setFlagsFromString('--no-flush-bytecode')
const collect: unknown = runInNewContext('gc')

/** Bytes of the heap in use after all garbage is gone. */
export async function heldHeap(): Promise<number> {
  if (typeof collect !== 'function') throw new Error('Node does not let the garbage be collected')
  // Objects of the current task go after it; those that they held weakly go in the next round.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}

export type MemoryRow = Awaited<ReturnType<typeof measureMemory>>[number]
