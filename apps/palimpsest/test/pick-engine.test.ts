import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { readConfigFile } from '../src/engines/configuration.ts'
import { pickEngine, type Terminal } from '../src/engines/use-engine.ts'
import { usePluginFolder } from './plugin-folder.ts'

const { path, plugin, write } = usePluginFolder()

describe('the picker', () => {
  const terminal = () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 })
    let shown = ''
    output.on('data', (text) => {
      shown += text
    })
    return {
      terminal: { input, output } as unknown as Terminal,
      press: (key: string) => input.write(key),
      end: () => input.end(),
      shown: () => shown,
    }
  }
  const showsSoon = (shown: () => string, text: string) =>
    vi.waitFor(() => expect(stripVTControlCharacters(shown())).toContain(text), 30_000)
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

  it('begins at the current choice, shows what cannot be used at the end, and says why on a line', async () => {
    await write(
      'plugins/context_engine/broken/plugin.yaml',
      `name: broken\nentry: ${'far/'.repeat(50)}x.js\n`,
    )
    await plugin('calm')
    await write('config.yaml', 'context:\n  engine: calm\n')
    const { terminal: at, press, shown } = terminal()
    const picked = pickEngine(await readConfigFile(undefined, path()), at)
    await showsSoon(shown, 'calm (current)')
    const lines = stripVTControlCharacters(shown()).split('\n')
    const place = (name: string) => lines.findIndex((line) => line.includes(` ${name} `))
    expect(lines[place('calm')]).toContain('calm (current) (keeps everything)')
    expect(lines[place('broken')]).toMatch(/broken \(not available: .{40,50}…\)$/)
    expect(place('calm')).toBeLessThan(place('broken'))
    press('\r')
    expect(await picked).toBe('calm')
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['the end of the input', ''],
  ])('takes no for an answer: %s', async (_, key) => {
    const { terminal: at, press, end } = terminal()
    const picked = pickEngine(await readConfigFile(undefined, path()), at)
    await settle()
    if (key === '') end()
    else press(key)
    expect(await picked).toBeUndefined()
  })
})
