import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageText } from '@palimpsest/core'
import { readTranscript } from '@palimpsest/transcripts'
import { describe, expect, it } from 'vitest'
import { AGENT_FILES } from '../../../../packages/transcripts/test/support/agent-files.ts'
import { claudeLines, fakeHome, runSessions } from './fake-home.ts'

describe('palimpsest sessions export', () => {
  it.each(Object.entries(AGENT_FILES))(
    'writes a session of %s whole, in both forms',
    async (_, { write, count }) => {
      using home = fakeHome()
      const path = write({ home: home.home, number: 1, words: ['apple', 'birch'], cwd: home.home })
      const out = join(home.home, 'out.jsonl')
      writeFileSync(out, (await runSessions('export', path, '--format', 'jsonl')).stdout)
      expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(count(path))
      const [again, original] = [await readTranscript(out), await readTranscript(path)]
      expect(again.entries.map(({ message }) => messageText(message))).toEqual(
        original.entries.map(({ message }) => messageText(message)),
      )
      const { stdout } = await runSessions('export', path)
      expect(stdout.match(/^## (?:User|Assistant|Result)/gm)).toHaveLength(count(path))
      for (const word of ['Remember the apple.', 'Noted: birch!']) expect(stdout).toContain(word)
    },
  )

  it('takes secrets out on request, and closes no fence of its own with one in a text', async () => {
    using home = fakeHome()
    const secret = ['sk', 'ant', 'api03', 'Zq8Lw2Xc5Vb7Nm4Kj9Hg6Fd3Sa1Po0Iu'].join('-')
    const call = {
      id: 'm',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }],
    }
    const content = [
      { type: 'tool_result', tool_use_id: 't', content: `ANTHROPIC_API_KEY=${secret}\n\`\`\`\ncode\n\`\`\`` },
    ]
    const path = home.write('.claude/projects/x/1.jsonl', [
      ...claudeLines('Run it'),
      { type: 'assistant', message: call },
      { type: 'user', message: { role: 'user', content } },
    ])
    expect((await runSessions('export', path)).stdout).toContain(secret)
    const { stdout } = await runSessions('export', path, '--redact')
    expect(stdout).not.toContain('Zq8Lw2')
    expect(stdout).toMatch(/^````\n.*\n```\ncode\n```\n````$/ms)
  })
})

describe('palimpsest sessions compact', () => {
  const words = Array.from({ length: 120 }, (_, at) => `word${at} ${'and more of it '.repeat(60)}`)

  it.each(['claude-code', 'codex'])('writes a smaller session of %s beside the original', async (agent) => {
    using home = fakeHome()
    const path = AGENT_FILES[agent]?.write({ home: home.home, number: 1, words, cwd: '/work/shop' }) ?? ''
    const before = readFileSync(path, 'utf8')
    const { stdout } = await runSessions('compact', path, '--window', '30000')
    expect(readFileSync(path, 'utf8')).toBe(before)
    const [, written = ''] = /^(\S+\.jsonl): \d+ tokens/m.exec(stdout) ?? []
    const [, id = ''] =
      /^Resume it with: (?:claude --|codex )resume (\S+)(?: \(in \S+\))?$/m.exec(stdout) ?? []
    expect(written).toContain(id)
    expect(stdout.includes('(in /work/shop)')).toBe(agent === 'claude-code')
    const { entries, format, malformed, skipped } = await readTranscript(written)
    expect([format, malformed]).toEqual([agent, []])
    expect(skipped.map(({ reason }) => reason)).toEqual(agent === 'codex' ? ['user_message event'] : [])
    const texts = entries.map(({ message }) => messageText(message))
    expect(texts.join('').length).toBeLessThan(before.length / 2)
    expect(texts.filter((text) => text.includes('Context summary'))).toHaveLength(1)
    expect(texts.at(-1)).toContain('Noted: word119')
    const { sessions } = JSON.parse((await runSessions('--json')).stdout)
    expect(sessions[0]).toMatchObject({ path: written, project: '/work/shop', problem: null })
  })

  it('says what it cannot do', async () => {
    using home = fakeHome()
    const pi = AGENT_FILES.pi?.write({ home: home.home, number: 1, words: ['apple'], cwd: '/w' }) ?? ''
    await expect(runSessions('compact', pi)).rejects.toThrow('a session of pi cannot be written back')
    const small = AGENT_FILES.codex?.write({ home: home.home, number: 1, words: ['apple'], cwd: '/w' }) ?? ''
    await expect(runSessions('compact', small)).rejects.toThrow('nothing of it can be left out')
  })
})
