import type { Worker } from 'node:worker_threads'
import { createPause, type Message } from '@palimpsest/core'
import type { Reading, ReadingState } from './read-new-messages.ts'

/** Messages that are read and written to the store at once. */
export const PORTION = 200
/** From so many messages on, a thread of its own reads: it takes a tenth of a second to start. */
export const LONG_HISTORY = 2_000

const THREAD = import.meta.url.endsWith('.ts') ? '../reading-thread.ts' : './reading-thread.js'

/** A portion of a history for the thread. */
export interface Portion {
  readonly from: number
  readonly messages: readonly Message[]
  /** Of the first portion; later ones go on from the one before. */
  readonly state?: ReadingState
}

/** A long history that is read in a thread of its own, while this one does other work with it. */
export interface ReadAhead {
  /** The reading of the portion that begins at an index; undefined when it has to be read here. Each is given out once. */
  take(from: number): Promise<Reading | undefined>
  stop(): void
}

/**
 * Begins to read messages of a transcript, all of them new, in portions of 200 from `from` on. Where no thread can be had, or it
 * breaks, nothing was read.
 */
export function readAhead(messages: readonly Message[], from: number, state: ReadingState): ReadAhead {
  const waiting = new Map<number, PromiseWithResolvers<Reading | undefined>>()
  for (let at = 0; at < messages.length; at += PORTION) waiting.set(from + at, Promise.withResolvers())
  let worker: Worker | undefined
  let isOver = false
  const stop = () => {
    isOver = true
    void worker?.terminate()
    for (const { resolve } of waiting.values()) resolve(undefined)
    waiting.clear()
  }
  const send = async () => {
    const { Worker } = await import('node:worker_threads')
    if (isOver) return
    worker = new Worker(new URL(THREAD, import.meta.url))
    worker.unref()
    worker.on('error', stop)
    worker.on('exit', stop)
    worker.on('message', ({ at, reading }: { at: number; reading: Reading }) =>
      waiting.get(at)?.resolve(reading),
    )
    const pause = createPause()
    for (let at = 0; at < messages.length && !isOver; at += PORTION) {
      const portion = { from: from + at, messages: messages.slice(at, at + PORTION) }
      worker.postMessage(at === 0 ? { ...portion, state } : portion)
      await pause()
    }
  }
  send().catch(stop)
  return {
    async take(at) {
      const reading = await waiting.get(at)?.promise
      waiting.delete(at)
      if (waiting.size === 0) stop()
      return reading
    },
    stop,
  }
}
