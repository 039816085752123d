import type { ServiceEngine } from '../service-engine.ts'
import type { ServiceStore } from '../store/service-store.ts'
import { engineKey } from './engine-key.ts'
import { systemMessage, systemPrompt } from './system-prompt.ts'

/**
 * Lets the engine take back what a turn said that was cut off by the end of the process: the engine read the message,
 * and no answer was ever stored. Otherwise what it decided would hold, for all sessions of a project, until somebody
 * comes back to this one. Returns how many conversations had such a turn.
 */
export async function withdrawUnfinished(store: ServiceStore, engine: ServiceEngine): Promise<number> {
  const known = await engine.messageCounts()
  if (known.size === 0) return 0
  let withdrawn = 0
  for (const record of store.conversations()) {
    // An engine has one more, which is the system prompt; a turn that was cut off adds at least a message.
    if ((known.get(engineKey(record)) ?? 0) <= record.messages + 1) continue
    const prompt = record.system === '' ? systemPrompt(record.repoName, []) : record.system
    const session = await engine.open(engineKey(record), {}, { compacts: false })
    try {
      await session.prepare([systemMessage(prompt), ...store.messages(record.no)])
    } finally {
      await session.end()
    }
    withdrawn++
  }
  return withdrawn
}
