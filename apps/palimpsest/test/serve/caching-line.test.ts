import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveProcess } from './served-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What a service says about prompt caching when it starts. */
async function linesOf(ttl: string, env: Record<string, string>): Promise<string[]> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.yaml'), `prompt_caching:\n  cache_ttl: ${ttl}\n`)
  const service = await serveProcess(folder, [], env)
  await service.end('SIGTERM')
  return service
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('Prompt caching'))
}

describe('what the service says about prompt caching', () => {
  const place = 'Prompt caching: automatic for gemini-3-flash-preview at Gemini'

  it.each([
    ['5m', `${place}; nothing to mark`],
    ['1h', `${place}; nothing to mark, prompt_caching.cache_ttl: 1h has no effect`],
    ['off', `${place}; prompt_caching.cache_ttl: off cannot switch that off`],
  ])('with a key and %s: one true line', async (ttl, line) =>
    expect(await linesOf(ttl, { GEMINI_API_KEY: 'test-key-0123456789' })).toEqual([line]),
  )

  it('without a key: one line too', async () => {
    expect(await linesOf('5m', {})).toEqual(['Prompt caching: nothing to cache, no model answers'])
  })
})
