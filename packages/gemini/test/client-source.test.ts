import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { errorOf, json, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { createGeminiChat } from '../src/index.ts'
import { fakeGemini } from './support/fake-gemini.ts'

const index = new URL('../src/index.ts', import.meta.url).href

/** Runs a program on the sources in a process of its own, and returns what it printed as JSON. */
async function run(program: string): Promise<unknown> {
  const flags = ['--conditions=@palimpsest/source', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

afterEach(() => vi.unstubAllEnvs())

/** Notes whether the SDK is asked for, and what happens then. */
const watchSdk = (then: string) => `
  import { registerHooks } from 'node:module'
  const asked = []
  registerHooks({ resolve(name, context, next) {
    if (name !== '@google/genai') return next(name, context)
    asked.push(name)
    ${then}
  } })
  const { createGeminiCompletion } = await import(${JSON.stringify(index)})`

describe('the SDK', () => {
  it('is loaded by the first call, not by the import, and only once', async () => {
    const program = `${watchSdk('return next(name, context)')}
      const fetch = async () => { throw new TypeError('fetch failed') }
      const model = createGeminiCompletion({ model: 'gemini-2.5-flash', apiKey: 'key', fetch })
      const counts = [asked.length]
      for (let i = 0; i < 2; i++) await model.complete({ prompt: 'p' }).catch(() => counts.push(asked.length))
      console.log(JSON.stringify(counts))`
    expect(await run(program)).toEqual([0, 1, 1])
  })

  it('may be a client of the host, such as one for Vertex AI', async () => {
    const candidate = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(weather' }
    const { fetch, requests } = fakeGemini(json({ candidates: [candidate] }))
    const client = new GoogleGenAI({ vertexai: true, apiKey: testKey, httpOptions: { fetch } })
    const model = createGeminiChat({ model: 'gemini-2.5-flash', client })
    const error = await errorOf(model.chat({ messages: [{ role: 'user', content: 'x' }] }))
    expect(requests[0]?.url.hostname).toBe('aiplatform.googleapis.com')
    expect(error).toMatchObject({ kind: 'empty' })
    // Only Vertex AI says which call could not be read.
    expect(error.message).toContain('print(weather')
  })
})
