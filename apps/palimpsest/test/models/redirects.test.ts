import { expect, it } from 'vitest'
import { errorOf } from '../../../../packages/provider-utils/test/support/fake-server.ts'
import { loopback } from '../../../../packages/provider-utils/test/support/loopback.ts'
import { openModel } from '../../src/models/open-model.ts'

const PROVIDERS = ['custom', 'openai', 'gemini', 'anthropic'] as const
const STATUSES = [301, 302, 303, 307, 308]
const cases = PROVIDERS.flatMap((provider) => STATUSES.map((status) => [provider, status] as const))

it.each(cases)('a conversation with %s does not follow a %d to another address', async (provider, status) => {
  const reached: string[] = []
  await using elsewhere = await loopback(({ url = '' }, response) => {
    reached.push(url)
    response.end('{}')
  })
  await using server = await loopback(({ url = '' }, response) => {
    response.writeHead(status, { location: `${elsewhere.baseUrl}${url}` }).end()
  })
  const access = { provider, model: 'm', apiKey: 'key-of-nobody-else', baseUrl: `${server.baseUrl}/v1` }
  const { chat, completion } = await openModel(access)
  const messages = [{ role: 'user', content: 'Between us.' } as const]
  const errors = [
    await errorOf(chat.chat({ messages })),
    await errorOf(chat.chat({ messages, onText: () => {} })),
    await errorOf(completion.complete({ prompt: 'Between us.' })),
  ]
  for (const { message } of errors)
    expect(message).toContain(`redirects to ${elsewhere.baseUrl}, which is not followed`)
  expect(reached).toEqual([])
})
