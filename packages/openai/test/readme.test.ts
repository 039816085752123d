import { afterEach, describe, expect, it, vi } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { testKey } from '../../provider-utils/test/support/fake-server.ts'
import * as openai from '../src/index.ts'
import { answer, chunk, fakeOpenAi, stopped, stream } from './support/fake-openai.ts'

const file = new URL('../README.md', import.meta.url)
const examples = examplesOf(file)

/** Runs an example with the server replaced by the fake, and returns what it printed. */
async function run(example: string): Promise<string[]> {
  const printed: string[] = []
  const console = { log: (line: unknown) => printed.push(String(line)) }
  const stdout = { write: (text: string) => printed.push(text) }
  const process = { env: { OPENAI_API_KEY: testKey }, stdout }
  await runExample(example, { '@palimpsest/openai': openai }, { console, process })
  return printed
}

afterEach(() => vi.unstubAllGlobals())

describe('README', () => {
  it('shows a completion that works', async () => {
    const { fetch, requests } = fakeOpenAi(answer({ content: 'Three fixes and a release.' }))
    vi.stubGlobal('fetch', fetch)
    expect(await run(examples[0] ?? '')).toEqual(['Three fixes and a release.'])
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${testKey}`)
  })

  it('shows a chat with a tool that works', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
    const { fetch, requests } = fakeOpenAi(
      answer({ tool_calls: [call] }, 'tool_calls'),
      stream([chunk({ content: 'Minus ' }), chunk({ content: 'three.' }), ...stopped]),
    )
    vi.stubGlobal('fetch', fetch)
    expect((await run(examples[1] ?? '')).join('')).toBe('Minus three.')
    expect(requests[1]?.body.messages[2]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: '{"celsius":-3}',
    })
    expect(requests[1]?.url).toBe('http://localhost:11434/v1/chat/completions')
    expect(examples).toHaveLength(2)
  })
})
