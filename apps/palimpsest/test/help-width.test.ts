import { KNOWN_FORMATS } from '@palimpsest/transcripts'
import type { Command } from 'commander'
import { expect, it, vi } from 'vitest'
import { createProgram } from '../src/create-program.ts'

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
]

it('the help of every command fits 80 columns', () => {
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const commands = withSubcommands(createProgram())
  for (const command of commands) command.outputHelp()
  vi.restoreAllMocks()
  expect(written.length).toBeGreaterThan(commands.length)
  expect(
    written
      .join('')
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([])
})

it('the help of replay names the formats that its error names', () => {
  const replay = createProgram().commands.find((command) => command.name() === 'replay')
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  replay?.outputHelp()
  vi.restoreAllMocks()
  expect(written.join('').replace(/\s+/g, ' ')).toContain(KNOWN_FORMATS)
})

it('a long example goes on after a backslash, before an option', () => {
  const [line] = createProgram().commands.filter((command) => command.name() === 'run')
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  line?.outputHelp()
  vi.restoreAllMocks()
  expect(written.join('')).toContain('openrouter.ai/api/v1 \\\n      --model qwen/qwen3-coder\n')
})
