import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChatAgentInput } from '../src/chat/create-chat-agent.ts'
import { loadConfiguration } from '../src/engines/configuration.ts'
import { agentBench, say, scripted, words } from './chat/agent-bench.ts'
import { serveProcess } from './serve/served-process.ts'
import { temporaryFolder } from './serve/temporary-folder.ts'

/** A chat in a folder with this configuration. */
async function openChat(config: string, flags: ChatAgentInput['flags'] = {}, model = scripted()) {
  const bench = await agentBench()
  await writeFile(join(bench.workspace, 'config.yaml'), config)
  const configuration = await loadConfiguration(undefined, bench.workspace)
  return {
    agent: await bench.open(model, { configuration, flags, window: 20_000 }),
    path: configuration.path,
  }
}

describe('a chat for which no engine is named', () => {
  it('applies the block compression:', async () => {
    const threshold = async (config: string) => (await (await openChat(config)).agent.status()).threshold
    const [half, third] = [
      await threshold('compression: {threshold: 0.5}'),
      await threshold('compression: {threshold: 0.3, protect_last_n: 8}'),
    ]
    expect(third / half).toBeCloseTo(0.3 / 0.5, 2)
    const { agent } = await openChat('compression: {protect_last_n: 5, target_ratio: 0.4}')
    expect(agent.facts.warnings).toEqual([])
  })

  it('keeps everything when compression.enabled is false', async () => {
    const turns = 13
    const reply = words('The store keeps sessions. '.repeat(300))
    const sent = async (config: string) => {
      const model = scripted(...Array<typeof reply>(turns).fill(reply))
      const { agent } = await openChat(config, {}, model)
      for (let turn = 0; turn < turns; turn++) await say(agent, `Question ${turn}`)
      return model.calls.at(-1)?.messages.length ?? 0
    }
    expect(await sent('compression: {enabled: false}')).toBe(2 * turns)
    expect(await sent('')).toBeLessThan(2 * turns)
  })
})

describe('a block compression: of which the engine takes nothing', () => {
  const BLOCK = 'compression: {threshold: 0.3, protect_last_n: 8}'

  it.each([
    ['lcm', 'lcm runs, whose options go into "lcm:"'],
    ['decisions', 'decisions over lcm runs, whose options go into "decisions:" and "lcm:"'],
  ])('is told in one sentence on %s', async (engine, end) => {
    const { agent, path } = await openChat(`context: {engine: ${engine}}\n${BLOCK}`)
    expect(agent.facts.engineLine).toMatch(`named in ${path}`)
    expect(agent.facts.warnings).toEqual([
      `the block "compression:" of ${path} (threshold, protect_last_n) has no effect: its options are those of the compressor, and ${end}`,
    ])
  })
})

describe('the service for which no engine is named', () => {
  it('runs decisions over lcm, and says so at its start', async () => {
    const folder = await temporaryFolder()
    const service = await serveProcess(folder, [])
    expect(service.stderr()).toMatch(
      /^palimpsest: engine decisions over lcm: the default of serve; context.engine names another$/m,
    )
    expect(service.stderr()).toMatch(/^Summaries: no model writes them/m)
    expect(await service.end('SIGTERM')).toBe(0)
  })
})
