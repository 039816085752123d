import type { ChatCommand } from './chat-command.ts'

export const engineCommand: ChatCommand = {
  name: 'engine',
  argument: '[name]',
  help: 'goes on with another context engine; without a name it lists them',
  async run(argument, { agent, engines, choose, print, introduce }) {
    const current = agent.facts.engine
    const name = argument || (await choose(`The engine is ${current}.`, await engines(), current))
    if (name === undefined) return
    if (name === current) return print(`the engine is ${current} already`)
    await agent.useEngine(name)
    introduce()
  },
}
