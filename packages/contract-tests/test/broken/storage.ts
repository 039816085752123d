import { type MessageLog, openMessageLog } from '../reference/message-log.ts'
import { runTool } from '../reference/tools.ts'
import { type BrokenEngine, broken } from './broken-engine.ts'

let engines = 0

/** Mistakes with what is stored. */
export const brokenStorages: readonly BrokenEngine[] = [
  broken('forgets everything when it is created again', 'C63 C65 C68', {
    keeps: true,
    steps: () => ({
      openMessageLog: (folder, sessionId) => openMessageLog(folder, `${sessionId} ${engines++}`),
    }),
  }),
  broken('takes messages in again that it has already', 'C64 C65', {
    keeps: true,
    steps: () => ({
      openMessageLog(...place) {
        const log = openMessageLog(...place)
        return { ...log, write: (_, messages) => log.write(log.texts.length, messages) }
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
  broken('keeps the messages of all sessions in one file', 'C66', {
    keeps: true,
    steps: () => ({ openMessageLog: (folder) => openMessageLog(folder, 'all') }),
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
