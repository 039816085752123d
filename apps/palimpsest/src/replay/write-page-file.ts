import { writeFile } from 'node:fs/promises'
import { embedViews, type SessionView } from '@palimpsest/inspector'
import type { OutputFile } from '../output-files.ts'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { describeWriteFault } from '../write-fault.ts'

/**
 * Writes the page with sessions in it, as a whole or not at all.
 *
 * @throws UsageError when it cannot be written.
 */
export async function writePageFile(
  { option, path, isRegular }: OutputFile,
  template: string,
  views: readonly SessionView[],
): Promise<void> {
  const text = embedViews(template, { format: 1, version, views })
  if (isRegular) await replaceFile(path, text)
  else
    await writeFile(path, text).catch((cause) => {
      throw new UsageError(`${option}: ${path} cannot be written: ${describeWriteFault(path, cause)}`, {
        cause,
      })
    })
}
