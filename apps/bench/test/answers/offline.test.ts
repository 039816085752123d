import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Message } from '@palimpsest/core'
import { describe, expect, it, vi } from 'vitest'
import { ARM_NAMES, PLAYED, WINDOW } from '../../src/answers/answer-arms.ts'
import { createReplayModel, requestKey } from '../../src/answers/completions.ts'
import { hermesArm } from '../../src/answers/hermes.ts'
import { makePrompts, playAnswerArm } from '../../src/answers/make-prompts.ts'
import { claudeCodeCompaction } from '../../src/arms/peers/claude-code.ts'
import { createSummaryWriter } from '../../src/workload/summary-writer.ts'
import { bundled, requests, tokens } from '../arms/conversations.ts'

const progress = () => {}

describe('the recorded answers', () => {
  it('are scored offline; stale arms are no failure', async () => {
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
    const args = ['--conditions=@palimpsest/source', main, 'answers', '--json']
    // Rejects with any other exit code than 0.
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { figures } = JSON.parse(stdout)
    expect(figures).toMatchObject({ window: WINDOW, questions: 60 })
    expect(figures.arms.map(({ arm }: { arm: string }) => arm)).toEqual(ARM_NAMES)
    for (const { state, score } of figures.arms) expect(score !== undefined).toBe(state === 'current')
  })
})

describe('the prompts', () => {
  it('are the same in every run, and send nothing', async () => {
    const fetch = vi.fn()
    vi.stubGlobal('fetch', fetch)
    const completions = new Map<string, string>()
    const writer = createSummaryWriter(tokens, 1)
    for (const arm of PLAYED)
      for (;;) {
        const made = await playAnswerArm(arm, { messages: bundled, completions, tokens })
        if (!('unknown' in made)) break
        completions.set(requestKey(made.unknown), (await writer.complete(made.unknown)).text)
      }
    const make = () => makePrompts({ messages: bundled, completions, tokens, progress })
    const [one, other] = [await make(), await make()]
    expect([...one.keys()]).toEqual(ARM_NAMES)
    expect(one).toEqual(other)
    for (const made of one.values()) expect(made).toHaveProperty('text')
    expect(fetch).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })
})

it('a replay answers what is recorded, and nothing behind the first request that is not', async () => {
  const { model, unknown } = createReplayModel(new Map())
  await expect(model.complete({ prompt: 'one' })).rejects.toThrow('not recorded')
  await expect(model.complete({ prompt: 'two' })).rejects.toThrow('not recorded')
  expect(unknown()).toEqual({ prompt: 'one' })
})

/** Writes numbered summaries, and keeps the prompts. */
function countingModel(heading: string) {
  const prompts: string[] = []
  const model = {
    name: 'stub',
    async complete({ prompt }: { readonly prompt: string }) {
      prompts.push(prompt)
      return { text: `${heading}\nsummary ${prompts.length}`, finishReason: 'stop' as const }
    },
  }
  return { model, prompts }
}

it('the compressor of Hermes Agent clears old results, keeps both ends, and brings one summary up to date', async () => {
  const { model, prompts } = countingModel('## Goal')
  const opened = await hermesArm(32_000).open({ sessionId: 's', budget: 32_000, tokens, model })
  let shown: readonly Message[] = []
  for (const transcript of requests(bundled)) {
    const { messages, warnings } = await opened.project(transcript)
    expect(warnings).not.toContain('invalid-projection')
    expect(messages.slice(0, 4)).toEqual(transcript.slice(0, 4))
    expect(messages.at(-1)).toBe(transcript.at(-1))
    shown = messages
  }
  expect(prompts.length).toBeGreaterThan(1)
  expect(prompts[0]).toContain('[Old tool output cleared to save context space]')
  expect(prompts[1]).toContain('PREVIOUS SUMMARY:\n## Goal\nsummary 1')
  expect(shown.filter(({ content }) => String(content).includes('CONTEXT COMPACTION'))).toHaveLength(1)
})

it("Claude Code's compaction replaces everything by one summary and the files read last", async () => {
  const { model, prompts } = countingModel('1. Primary Request')
  const opened = await claudeCodeCompaction.open({ sessionId: 's', budget: 12_000, tokens, model })
  let before = 0
  for (const transcript of requests(bundled)) {
    const { messages, compacted } = await opened.project(transcript)
    if (transcript.at(-1)?.role === 'user') expect(messages.at(-1)).toBe(transcript.at(-1))
    if (compacted) {
      const [system, summary, ...rest] = messages
      expect(system).toBe(transcript[0])
      expect(String(summary?.content)).toContain(`summary ${prompts.length}`)
      expect(String(summary?.content).match(/^Read again: /gm)?.length ?? 0).toBeLessThanOrEqual(5)
      expect(rest.length).toBeLessThanOrEqual(1)
      expect(prompts.at(-1)).toContain(before === 0 ? 'USER: You are taking over' : `summary ${before}`)
      before = prompts.length
    }
  }
  expect(prompts.length).toBeGreaterThan(1)
})
