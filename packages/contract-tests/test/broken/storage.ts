import type { Message } from '@palimpsest/core'
import { type MessageLog, openMessageLog } from '../reference/message-log.ts'
import { runTool } from '../reference/tools.ts'
import { type BrokenEngine, broken } from './broken-engine.ts'

let engines = 0

/** Writes only what stands behind all that is known; a reset is not about that. */
function appendNew(log: MessageLog, from: number, messages: readonly Message[]): void {
  const { length } = log.texts
  if (isReset(from, messages)) log.write(0, [])
  else log.write(length, messages.slice(Math.max(0, length - from)))
}

function isReset(from: number, messages: readonly Message[]): boolean {
  return from === 0 && messages.length === 0
}

/** Mistakes with what is stored. */
export const brokenStorages: readonly BrokenEngine[] = [
  broken('forgets everything when it is created again', 'C63 C65 C68', {
    keeps: true,
    steps: () => ({
      openMessageLog: (folder, sessionId) => openMessageLog(folder, `${sessionId} ${engines++}`),
    }),
  }),
  broken('takes messages in again that it has already', 'C63 C65 C68', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        return {
          ...log,
          write: (from, messages) => log.write(isReset(from, messages) ? 0 : log.texts.length, messages),
        }
      },
    }),
  }),
  broken('writes its messages down when it is disposed of', 'C65', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        const pending: Parameters<MessageLog['write']>[] = []
        const texts = [...log.texts]
        return {
          texts,
          write(from, messages) {
            pending.push([from, messages])
            texts.splice(from, texts.length, ...messages.map((message) => JSON.stringify(message)))
          },
          close() {
            for (const call of pending) log.write(...call)
            log.close()
          },
        }
      },
    }),
  }),
  broken('leaves what stood there where the history is edited', 'C68', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        return { ...log, write: (from, messages) => appendNew(log, from, messages) }
      },
    }),
  }),
  broken('does not write down what an edit of the history changed', 'C68', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        const texts = [...log.texts]
        return {
          ...log,
          texts,
          write(from, messages) {
            appendNew(log, from, messages)
            texts.splice(from, texts.length, ...messages.map((message) => JSON.stringify(message)))
          },
        }
      },
    }),
  }),
  broken('keeps the messages of all sessions in one file', 'C66', {
    keeps: true,
    steps: () => ({ openMessageLog: (folder) => openMessageLog(folder, 'all') }),
  }),
  broken('names its file by the letters and digits of the session', 'C66', {
    keeps: true,
    steps: () => ({
      openMessageLog: (folder, sessionId) => openMessageLog(folder, sessionId.replaceAll(/\W/g, '_')),
    }),
  }),
  broken('takes a last page of one character for none', 'C67', {
    keeps: true,
    steps: () => ({
      runTool(...call) {
        const answer = JSON.parse(runTool(...call))
        return JSON.stringify({ ...answer, ...(answer.next === answer.total - 1 && { next: null }) })
      },
    }),
  }),
  broken('takes no more than 400 messages at once', 'C65 C67', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        return { ...log, write: (from, messages) => log.write(from, messages.slice(0, 400)) }
      },
    }),
  }),
  broken('gives back the beginning of a message only', 'C67 C68', {
    keeps: true,
    steps: () => ({
      runTool(...call) {
        const { next, ...answer } = JSON.parse(runTool(...call))
        if (next === undefined) return JSON.stringify(answer)
        return JSON.stringify({ ...answer, text: answer.text.slice(0, 4_000), next: null })
      },
    }),
  }),
]
