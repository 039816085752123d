import { join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { filePlace } from '../../src/stores/store-place.ts'
import { proveStores, type StoreReport, serviceStores } from '../../src/verify/verify-stores.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { startTestService } from '../serve/test-service.ts'

/** The files of a service with a gateway, by what stands behind the name of its own. */
export const ENDS = ['', '.decisions', '.decisions.lcm'] as const

/** The files of a service that was used and stopped: sessions, one begun anew, compacted, and a gateway's conversation. */
export async function keepService(folder: string): Promise<string> {
  const store = join(folder, 'serve.db')
  const upstream = await startMockUpstream({ answer: () => ({ content: 'noted by the upstream' }) })
  const service = await startTestService({
    ...{ engine: 'decisions', store, window: 8_000, upstream: upstream.baseUrl },
  })
  const say = async (session: string, query: string, requestId: string) => {
    const { status, body } = await service.post('/query', { session, query, requestId })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  for (let turn = 1; turn <= 12; turn++)
    await say(
      'shop',
      `We use Postgres ${turn} as our database ${turn}. ${'It lives in src/db.ts. '.repeat(70)}`,
      `r${turn}`,
    )
  await say('port', 'The naïve 漢字 port is 4711, because 80 is taken.', 'a')
  await service.post('/init', { session: 'port', repoName: 'kinto' })
  await say('port', 'We switch to MongoDB as our database.', 'a')
  const messages: Message[] = [{ role: 'user', content: 'We use Redis as our cache.' }]
  for (let turn = 1; turn <= 3; turn++) {
    const body = JSON.stringify({ model: 'mock-large', messages })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}/v1/chat/completions`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
    const { choices } = (await answer.json()) as { choices: [{ message: Message }] }
    messages.push(choices[0].message, { role: 'user', content: `And turn ${turn}?` })
  }
  await service.close()
  return store
}

/** The findings of `palimpsest verify` in the stores of a service. */
export async function proveService(store: string, folder: string): Promise<StoreReport[]> {
  const configuration = await loadConfiguration(undefined, folder)
  return proveStores(serviceStores(filePlace(store), configuration))
}
