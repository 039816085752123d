/** The output of `--help`. */
export const HELP = `palimpsest-contract <module> [case ids…] [options]

Runs the contract suite for a context engine, without a test runner.

<module>
  ./dist/index.js        a file (.js, .mjs, .ts) or a folder with a package.json or plugin.yaml
  my-engine              an installed package, as this folder sees it, or the engine of that name in a dependency
  .                      the package in this folder
  A package is loaded from "contextEngine": { "entry": … } of its package.json, else from its main export.
  The module exports by default what defineContextEngine() returned. An engine that needs more, such as
  recall for a lossless one, exports a ContractTarget instead, by default or as contractTarget.

[case ids…]
  C01                    one case
  C10-C14                all from one to another
  P                      all that begin with these letters
  Default: every case. Where something is expected of the engine, C03 always runs.

Options
  --options <json>       options of the engine; {storage} in a text becomes the storage folder of the case
  --expect <a,b>         what the engine must declare, such as tools,lossless; a case fails where it does not
  --seed <number>        where generated conversations begin (default 1)
  --runs <number>        generated conversations of each property (default 100)
  --case-timeout <ms>    how long one case may take before it fails (default 120000); raise it for an engine whose
                         calls are slow. One call may take a 24th of it, 5000 at least
  --list                 lists the cases, and with a module which of them are skipped; runs none
  --json                 prints one JSON object at the end
  --tap                  prints TAP version 14
  --verbose              prints what passing cases tell too, such as how many conversations were compacted
  --help, --version

Exit code: 0 all passed, 1 a case failed or nothing ran, 2 the call was wrong, 130 interrupted.

Examples
  palimpsest-contract .
  palimpsest-contract ./src/index.ts C10-C14 P --runs 1000
  palimpsest-contract my-engine --options '{"file": "{storage}/engine.db"}' --expect tools,persistence
  palimpsest-contract ./test/contract-target.ts --json > report.json
`
