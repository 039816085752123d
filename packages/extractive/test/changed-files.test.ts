import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createIdentifierMemory, frameSummary, quoteLost, readFrame } from '../src/index.ts'
import { call, quarter, user } from './conversation.ts'

const edit = (path: string) => call('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, 'done')

const frame = (
  messages: readonly Message[],
  earlier = '',
  told: readonly Message[] = [],
): Promise<string> => {
  const memory = createIdentifierMemory()
  memory.add([...told, ...messages], 0)
  const input = { prose: '', messages, earlier: readFrame(earlier), visible: [], memory, tokens: quarter }
  return frameSummary({ ...input, excerptTokens: 400, identifierTokens: 400 })
}

const changesIn = (summary: string): string[] =>
  summary.split('\n').filter((line) => / (?:changed|deleted): /.test(line))

describe('files that calls changed', () => {
  it('are listed at their last change, those of one turn together, and not by identifiers again', async () => {
    const summary = await frame([
      user('Move the ledger to cents.'),
      ...edit('src/ledger.ts'),
      ...edit('src/money.ts'),
      user('And the tests.'),
      ...call('bash', { command: 'rm src/legacy.ts && touch test/money.test.ts' }, ''),
      ...call('read', { path: 'src/only-read.ts' }, 'text'),
      ...edit('src/ledger.ts'),
    ])
    expect(changesIn(summary)).toEqual([
      '- t1 changed: src/money.ts',
      '- t2 deleted: src/legacy.ts',
      '- t2 changed: test/money.test.ts, src/ledger.ts',
    ])
    expect(readFrame(summary).identifiers).not.toContain('src/money.ts')
  })

  it('are none where the call failed', async () => {
    const failed = call('Edit', { file_path: 'src/a.ts', new_string: 'b' }, 'no such file', true)
    expect(changesIn(await frame([user('Change it.'), ...failed, ...edit('src/b.ts')]))).toEqual([
      '- t1 changed: src/b.ts',
    ])
  })

  it('stay in the summaries that follow, at their last change', async () => {
    const told = [user('One.'), ...edit('src/a.ts'), ...edit('src/b.ts')]
    const second = await frame([user('Two.'), ...edit('src/a.ts')], await frame(told), told)
    expect(changesIn(second)).toEqual(['- t1 changed: src/b.ts', '- t2 changed: src/a.ts'])
    expect(changesIn(await frame([], second))).toEqual(changesIn(second))
  })

  it('are the newest where there is no room for all, and take it from the identifiers', async () => {
    const files = Array.from({ length: 40 }, (_, index) => user(`Step ${index}.`)).flatMap((step, index) => [
      step,
      ...edit(`src/part-${index}.ts`),
    ])
    const summary = await frame(files)
    const listed = changesIn(summary).map((line) => Number(/part-(\d+)/.exec(line)?.[1]))
    expect(listed.length).toBeGreaterThan(5)
    expect(listed).toEqual(Array.from(listed, (_, at) => 40 - listed.length + at))
    expect(quarter.countText(changesIn(summary).join('\n'))).toBeLessThanOrEqual(100)
    expect(quarter.countText(summary)).toBeLessThanOrEqual(801)
  })

  it('are what a summary by another hand has lost', () => {
    const lost = quoteLost({ messages: [user('Fix it.'), ...edit('src/a.ts')], summary: 'They fixed it.' })
    expect(changesIn(lost)).toEqual(['- t1 changed: src/a.ts'])
  })
})
