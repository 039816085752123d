import { parentPort } from 'node:worker_threads'
import { createSerialQueue } from '@palimpsest/core'
import type { Portion } from './engine/read-ahead.ts'
import { BEGINNING, readNewMessages } from './engine/read-new-messages.ts'

/** Started by `read-ahead.ts` as a thread: answers each portion of a history with its reading. */
const enqueue = createSerialQueue()
let current = BEGINNING

parentPort?.on('message', ({ from, messages, state }: Portion) =>
  enqueue(async () => {
    const reading = await readNewMessages(messages, { from, newFrom: from, state: state ?? current })
    current = reading.state
    parentPort?.postMessage({ at: from, reading })
  }),
)
