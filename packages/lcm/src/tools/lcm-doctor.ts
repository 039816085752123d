import { errorText } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { type Check, checkSession } from './check-session.ts'
import type { ToolContext } from './tool-context.ts'

/** Faults of the store that are listed. */
const LISTED_FAULTS = 20
/** Characters of the text of one check. */
const DETAIL_CHARACTERS = 600

const argumentSchema = lazily(() => z.object({}))

export const lcmDoctorSchema = lazily(() =>
  toolSchema(
    'lcm_doctor',
    'Checks the conversation store: summaries, newest messages, search index. Use it when a search or a read gives ' +
      'something strange.',
    argumentSchema(),
  ),
)

/** A few quick checks. They read a bounded part of the session, however long it is. */
export async function lcmDoctor(args: unknown, context: ToolContext): Promise<object> {
  readToolArguments(argumentSchema(), args)
  const checks = [...(await checkSession(context)), ...(await checkStore(context))]
  const ok = checks.every((check) => check.ok)
  return {
    ok,
    checks: checks.map((check) => ({ ...check, detail: check.detail.slice(0, DETAIL_CHARACTERS) })),
    advice: ok
      ? 'nothing to do'
      : 'tell the user which checks failed: the store has to be verified and repaired outside of this conversation',
  }
}

async function checkStore({ check }: ToolContext): Promise<readonly Check[]> {
  if (check === undefined) return []
  try {
    const faults = await check()
    const listed = faults.slice(0, LISTED_FAULTS).map(({ code, message }) => `${code}: ${message}`)
    const detail =
      faults.length === 0
        ? 'the store found no fault in itself'
        : `${faults.length} faults: ${listed.join('; ')}`
    return [{ name: 'store', ok: faults.length === 0, detail }]
  } catch (error) {
    return [{ name: 'store', ok: false, detail: errorText(error) }]
  }
}
