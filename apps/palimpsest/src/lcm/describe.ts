import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { renderFacts } from './render-facts.ts'
import { toolRunner, wholeAnswer } from './run-tool.ts'
import { withStore } from './with-store.ts'

/** `palimpsest lcm describe [id]`: what `lcm_describe` answers, all pages of it. */
export async function describe(id: string | undefined, flags: SessionFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const run = toolRunner(await chooseSession(opened, flags.session))
    const answer = await wholeAnswer(
      (offset) => run('lcm_describe', { offset, ...(id !== undefined && { id }) }),
      0,
      (whole, page) => ({
        ...whole,
        ...(Array.isArray(whole.list) && { list: [...whole.list, ...(page.list as unknown[])] }),
        ...(typeof whole.text === 'string' && { text: `${whole.text}${page.text}` }),
      }),
    )
    if (flags.json) printJson(answer)
    else printLines(...renderFacts(answer))
    return 0
  })
}
