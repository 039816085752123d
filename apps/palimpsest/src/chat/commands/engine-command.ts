import type { ChatCommand } from './chat-command.ts'

export const engineCommand: ChatCommand = {
  name: 'engine',
  argument: '[name]',
  help: 'goes on with another context engine; without a name it lists them',
  async run(argument, { agent, engines, choose, print }) {
    const current = agent.facts.engine
    const name = argument || (await choose(`The engine is ${current}.`, await engines(), current))
    if (name === undefined) return
    if (name === current) return print(`the engine is ${current} already`)
    const before = agent.facts.warnings
    await agent.useEngine(name)
    const { engine, warnings } = agent.facts
    print(`the engine is ${engine} now: it reads the conversation from its beginning`)
    for (const warning of warnings.filter((one) => !before.includes(one))) print(warning)
  },
}
