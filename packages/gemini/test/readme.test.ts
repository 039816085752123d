import { afterEach, describe, expect, it, vi } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { testKey } from '../../provider-utils/test/support/fake-server.ts'
import * as gemini from '../src/index.ts'
import { answer, chunk, fakeGemini, stream } from './support/fake-gemini.ts'

const file = new URL('../README.md', import.meta.url)
const examples = examplesOf(file)

/** Runs an example with the server replaced by the fake, and returns what it printed. */
async function run(example: string): Promise<string[]> {
  const printed: string[] = []
  const console = { log: (line: unknown) => printed.push(String(line)) }
  const stdout = { write: (text: string) => printed.push(text) }
  const process = { env: { GEMINI_API_KEY: testKey }, stdout }
  await runExample(example, { '@palimpsest/gemini': gemini }, { console, process })
  return printed
}

afterEach(() => vi.unstubAllGlobals())

describe('README', () => {
  it('shows a completion that works', async () => {
    const { fetch, requests } = fakeGemini(answer([{ text: 'Three fixes and a release.' }]))
    vi.stubGlobal('fetch', fetch)
    const printed = await run(examples[0] ?? '')
    expect(printed[0]).toBe('Three fixes and a release.')
    expect(requests[0]?.headers.get('x-goog-api-key')).toBe(testKey)
  })

  it('shows a chat with a tool that works', async () => {
    const { fetch, requests } = fakeGemini(
      answer([{ functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' }]),
      stream([chunk([{ text: 'Minus ' }]), chunk([{ text: 'three.' }], true)]),
    )
    vi.stubGlobal('fetch', fetch)
    const printed = await run(examples[1] ?? '')
    expect(printed.join('')).toBe('Minus three.')
    expect(requests[1]?.body.contents[2]?.parts?.[0]?.functionResponse?.response).toEqual({ celsius: -3 })
    expect(examples).toHaveLength(2)
  })
})
