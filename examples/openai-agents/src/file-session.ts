import { readFile, writeFile } from 'node:fs/promises'
import type { AgentInputItem, Session } from '@openai/agents'

/** A session of the SDK in a JSON file: everything that was said, called and returned. */
export function fileSession(path: string): Session {
  const getItems = async (limit?: number): Promise<AgentInputItem[]> => {
    const items: AgentInputItem[] = JSON.parse(await readFile(path, 'utf8').catch(() => '[]'))
    return limit === undefined ? items : items.slice(-limit)
  }
  const write = (items: readonly AgentInputItem[]) => writeFile(path, JSON.stringify(items))
  return {
    getSessionId: async () => path,
    getItems,
    addItems: async (items) => write([...(await getItems()), ...items]),
    async popItem() {
      const items = await getItems()
      const last = items.pop()
      await write(items)
      return last
    },
    clearSession: () => write([]),
  }
}
