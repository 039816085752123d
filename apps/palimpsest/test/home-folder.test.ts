import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from './run-cli.ts'
import { temporaryFolder } from './serve/temporary-folder.ts'

const NO_MODEL = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '' }

it('a home that is a file, or lies below one, is named with what to do', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'a-file')
  await writeFile(file, 'no folder')
  for (const home of [file, join(file, 'deeper')]) {
    const { code, stdout, stderr } = await runCli(['chat', 'hello'], {
      cwd: folder,
      env: { ...NO_MODEL, PALIMPSEST_HOME: home },
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `palimpsest: the folder ${home} cannot be made (a file is where a folder should be): set PALIMPSEST_HOME to a folder that can be written\n`,
    )
  }
})
