import type { CasesRequest } from './read-arguments.ts'

/** The part of a call that decides what a property tries. */
export type RepeatableCall = Pick<CasesRequest, 'module' | 'options' | 'runs'>

/** The command that tries the conversations of a property again, for the shells of POSIX. */
export function repeatCommand(
  { module = '.', options, runs }: RepeatableCall,
  id: string,
  seed: number,
): string {
  return [
    'palimpsest-contract',
    quoted(module),
    id,
    // With "=", because a negative number would pass for an option.
    seed < 0 ? `--seed=${seed}` : `--seed ${seed}`,
    ...(Object.keys(options).length > 0 ? [`--options ${quoted(JSON.stringify(options))}`] : []),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
  ].join(' ')
}

function quoted(text: string): string {
  return /^[\w./:@~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
