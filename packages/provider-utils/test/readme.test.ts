import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { CompletionModel } from '@palimpsest/core'
import { expect, it } from 'vitest'
import * as utils from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('the example works: an answer, and a refusal as a typed error', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const program = stripTypeScriptTypes(example)
    .replace(/^import (\{[^}]*\}) from '@palimpsest\/provider-utils'$/m, 'const $1 = utils')
    .replace('export function', 'function')
  const createModel = new Function('utils', `${program}\nreturn createModel`)(utils) as (
    url: string,
  ) => CompletionModel
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/busy' ? 503 : 200
    response.end(request.url === '/busy' ? 'try later' : 'Hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await createModel(url).complete({ prompt: 'Hi' })).toEqual({ text: 'Hello', finishReason: 'stop' })
    await expect(createModel(`${url}/busy`).complete({ prompt: 'Hi' })).rejects.toMatchObject({
      code: 'MODEL_OVERLOADED',
      message: 'the model refused: try later',
    })
  } finally {
    server.close()
  }
})
