import { join } from 'node:path'
import { findPackingFaults } from './find-packing-faults.ts'
import { type Fixture, startFixture } from './fixture.ts'
import type { PublishedPackage } from './publish.ts'
import { tryReadme, tryRepositoryReadme, tryWholeReadme } from './try-readme.ts'
import type { Tried } from './try-rest.ts'

interface Rehearsed extends Tried {
  readonly name: string
  /** Undefined for the README of the repository. */
  readonly published?: PublishedPackage
}

async function rehearse(published: PublishedPackage, { folder, user }: Fixture): Promise<Rehearsed> {
  const place = (manager: string) => join(folder, manager, published.name.replace('/', '+'))
  const packing = await findPackingFaults(published.folder)
  const npm = await tryWholeReadme(published, place('npm'), user)
  const pnpm = await tryReadme(published, 'pnpm', place('pnpm'), user)
  const faults = [
    ...packing,
    ...npm.faults.map((fault) => `npm: ${fault}`),
    ...pnpm.map((fault) => `pnpm: ${fault}`),
  ]
  return { ...npm, name: published.name, published, faults }
}

function renderTable(rows: readonly Rehearsed[]): string {
  const cells = [
    ['package', 'version', 'tarball', 'more lines and examples', 'left out', 'result'],
    ...rows.map(({ name, published, ran, left, faults }) => [
      name,
      published?.version ?? '',
      published === undefined ? '' : `${(published.size / 1024).toFixed(1)} KiB`,
      `${ran} ran`,
      `${left.length}`,
      faults.length === 0 ? 'good' : `${faults.length} faults`,
    ]),
  ]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * `pnpm release:rehearse`: publishes every public package to a registry on this machine, installs each from it as its
 * README says, runs every other line and example of that README and of the repository's, and prints a table, with the reason for each
 * that cannot run here. Exits with 1 if anything is wrong with any of them.
 */
const { fixture, stop } = await startFixture((line) => console.error(line))
try {
  const rows: Rehearsed[] = []
  const tell = (row: Rehearsed) => {
    console.error(`${row.name}: ${row.faults.length === 0 ? 'does what its README says' : 'failed'}`)
    for (const fault of row.faults) console.error(`  ${fault.trim().replaceAll('\n', '\n  ')}`)
    rows.push(row)
  }
  const readme = await tryRepositoryReadme(join(fixture.folder, 'reader'), fixture.user)
  tell({ ...readme, name: 'README.md' })
  for (const published of fixture.published) tell(await rehearse(published, fixture))
  console.log(`\n${renderTable(rows)}\n\nnot run here:`)
  for (const { name, left } of rows) for (const reason of left) console.log(`  ${name}: ${reason}`)
  if (rows.some(({ faults }) => faults.length > 0)) process.exitCode = 1
} finally {
  await stop()
}
