import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENTS, type ClientName } from '../../apps/palimpsest/src/run/clients.ts'
import { type ServedProcess, serveProcess } from '../../apps/palimpsest/test/serve/served-process.ts'
import type { CommandOutput } from '../run-command.ts'
import { CLIENT_PROGRAMS } from './clients-folder.ts'
import { emptyHome, type Home, runPalimpsest, runProgram } from './run-program.ts'
import { createScriptedModel, type Script, type ScriptedModel } from './scripted-model.ts'

/** A mock server with a provider's protocol. */
export interface Upstream {
  readonly baseUrl: string
  readonly requests: readonly { readonly promptTokens: number }[]
  /** Why the provider would have refused requests. */
  faults(): readonly string[]
  /** Reasoning that came back as it was given, in all requests. */
  reasoningBack(): number
  /** The next request is refused: its prompt is too long. */
  refuseNext(): void
  /** The answer to the next request breaks off. */
  breakNext(): void
}

/** A real client. */
export interface TestedClient {
  readonly name: ClientName
  /** Of the model, in tokens: a few times what the client sends at the beginning. */
  readonly window: number
  /** Of `palimpsest run`. */
  readonly flags: readonly string[]
  readonly model?: string
  readonly environment: Readonly<Record<string, string>>
  /** Arguments that put a prompt, without a terminal. */
  ask(prompt: string): readonly string[]
  /** The same in the last session. */
  resume(prompt: string): readonly string[]
  /** Arguments that ask for its own compaction of the last session. */
  readonly compact?: readonly string[]
  upstream(model: ScriptedModel, window: number): Promise<Upstream>
}

const DONE = 'All steps are done.'
const STEPS = 40

/** About 3,000 tokens of output each. */
const command = (step: number) => ({ command: `echo STEP-${step}; seq ${step}000 ${step}900` })
const steps = (count: number) => Array.from({ length: count }, (_, index) => command(index + 10))

interface Stage {
  readonly model: ScriptedModel
  readonly upstream: Upstream
  readonly home: Home
  run(args: readonly string[]): Promise<CommandOutput>
}

/** The scenarios of a client in front of a small window. */
export function describeClient(client: TestedClient): void {
  const { name, window } = client

  const stage = async (): Promise<Stage> => {
    const model = createScriptedModel()
    const upstream = await client.upstream(model, window)
    const home = await emptyHome(client.environment)
    const flags = ['--upstream', upstream.baseUrl, '--window', String(window), ...client.flags]
    return {
      ...{ model, upstream, home },
      run: (args) => runPalimpsest(['run', name, ...flags, '--', ...args], home),
    }
  }

  /** Every request was one that the provider takes, within the window, and the client came to its end. */
  const expectWell = ({ upstream, model }: Stage, ended: CommandOutput, scenario: string): void => {
    const sizes = upstream.requests.map(({ promptTokens }) => promptTokens)
    const compactions = sizes.filter((size, index) => size < (sizes[index - 1] ?? 0) * 0.9).length
    const asked = Object.entries(model.asked).flatMap(([who, count]) => (count > 0 ? `${who} ${count}` : []))
    console.log(
      `${name}, ${scenario}: ${sizes.length} requests (${asked.join(', ')}), the largest ${Math.max(...sizes)} tokens of ${window}, ${compactions} times smaller than the one before, reasoning back ${upstream.reasoningBack()} times`,
    )
    expect(upstream.faults()).toEqual([])
    expect(Math.max(...sizes)).toBeLessThanOrEqual(window)
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([
      0,
      expect.stringContaining(DONE),
      expect.anything(),
    ])
  }

  test(`${name}: ${STEPS} tool steps with large outputs, and the session goes on later`, async () => {
    const on = await stage()
    const search = { grep: 'STEP-12' }
    on.model.play([...steps(STEPS / 2), search, ...steps(STEPS / 2), { text: DONE }])
    const first = await on.run(client.ask('Take forty steps.'))
    expectWell(on, first, `${STEPS} steps`)
    expect(on.upstream.reasoningBack()).toBeGreaterThan(STEPS)
    expect(on.model.asked.main).toBe(STEPS + 2)

    on.model.play([...steps(3), { text: `Again: ${DONE}` }])
    const second = await on.run(client.resume('And three more.'))
    expectWell(on, second, 'resumed')
    expect(second.stdout).toContain('Again:')
  })

  const { compact } = client
  if (compact !== undefined)
    test(`${name}: it compacts by itself, and goes on`, async () => {
      const on = await stage()
      on.model.play([...steps(12), { text: DONE }])
      await on.run(client.ask('Take some steps.'))
      const { code, stderr } = await on.run(compact)
      expect([code, stderr, on.model.asked.compaction]).toEqual([0, expect.anything(), 1])
      on.model.play([...steps(8), { text: DONE }])
      expectWell(on, await on.run(client.resume('And some more.')), 'its own compaction')
    })

  test(`${name}: a sub-agent has a conversation of its own`, async () => {
    const on = await stage()
    const task = { task: 'Count to ten and report.' }
    // A client may end with its main conversation.
    const main: Script = [...steps(4), task, { command: 'sleep 8' }, ...steps(4), { text: DONE }]
    on.model.play(main, [...steps(12), { text: 'The sub-agent has counted.' }])
    expectWell(on, await on.run(client.ask('Let a sub-agent count.')), 'a sub-agent')
    expect(on.model.asked['sub-agent']).toBeGreaterThan(5)
  })

  test(`${name}: the upstream says that the prompt is too long`, async () => {
    const on = await stage()
    const refused = () => {
      on.upstream.refuseNext()
      return command(50)
    }
    on.model.play([...steps(6), refused, ...steps(2), { text: DONE }])
    expectWell(on, await on.run(client.ask('Take some steps.')), 'a prompt is refused')
  })

  test(`${name}: the upstream breaks off in the middle of an answer`, async () => {
    const on = await stage()
    const broken = () => {
      on.upstream.breakNext()
      return command(50)
    }
    on.model.play([...steps(3), broken, ...steps(6), { text: DONE }])
    expectWell(on, await on.run(client.ask('Take some steps.')), 'an answer breaks off')
  })

  test(`${name}: the gateway is killed and started again`, async () => {
    const on = await stage()
    const { home, upstream } = on
    const flags = [
      '--upstream',
      upstream.baseUrl,
      '--window',
      String(window),
      '--store',
      join(home.work, '..', 'g.db'),
    ]
    let gateway: ServedProcess = await serveProcess(home.work, flags, home.environment)
    const port = new URL(gateway.url).port
    let restarted: Promise<void> | undefined
    const killed = () => {
      restarted = gateway.end('SIGKILL').then(async () => {
        gateway = await serveProcess(home.work, [...flags, '--port', port], home.environment)
      })
      return command(50)
    }
    on.model.play([...steps(12), killed, ...steps(12), { text: DONE }])
    const { args, env } = CLIENTS[name].launch({
      ...{ url: gateway.url, environment: home.environment, model: client.model, upstream: gateway.url },
    })
    const own = { ...home, environment: { ...home.environment, ...env } }
    const ended = await runProgram(join(CLIENT_PROGRAMS, name), [...args, ...client.ask('Go.')], own)
    await restarted
    await gateway.end('SIGTERM')
    expect(restarted).toBeDefined()
    expectWell(on, ended, 'the gateway is killed')
  })
}
