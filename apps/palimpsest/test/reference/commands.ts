import { renderTable } from '../../../../packages/contract-tests/test/markdown-tables.ts'
import { createProgram } from '../../src/create-program.ts'

type Command = ReturnType<typeof createProgram>

type CommandOption = Command['options'][number]

/** The generated section of `docs/commands.md`: every command with its arguments and options. */
export function commandsSection(): string {
  return createProgram().commands.flatMap(renderGroup).join('\n\n')
}

/** A command and those below it. Options that all of these have are named once, above, where the command has none of its own. */
function renderGroup(group: Command): string[] {
  const { commands, options, registeredArguments } = group
  if (commands.length === 0)
    return [renderCommand(group, `## \`${group.name()}\``, registeredArguments, options)]
  const isShared = ({ flags, description }: CommandOption) =>
    options.length === 0 &&
    commands.every(({ options }) =>
      options.some((other) => other.flags === flags && other.description === description),
    )
  const shown = options.length > 0 ? options : (commands[0]?.options.filter(isShared) ?? [])
  return [
    renderCommand(group, `## \`${group.name()}\``, registeredArguments, shown),
    ...commands.map((command) => {
      const own = command.options.filter((option) => !isShared(option))
      return renderCommand(
        command,
        `### \`${group.name()} ${command.name()}\``,
        command.registeredArguments,
        own,
      )
    }),
  ]
}

function renderCommand(
  command: Command,
  heading: string,
  args: Command['registeredArguments'],
  options: readonly CommandOption[],
): string {
  const rows = [
    ...args.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '…' : ''}`
      const cells = described(argument.description, argument.argChoices, argument.defaultValue)
      return [argument.required ? `\`<${name}>\`` : `\`[${name}]\``, ...cells]
    }),
    ...options.map((option) => [
      `\`${option.flags}\``,
      ...described(option.description, option.argChoices, option.defaultValue),
    ]),
  ]
  const first =
    command.commands.length > 0 && command.options.length === 0
      ? 'option of all of them'
      : 'argument or option'
  const help = helpAfter(command)
  return [
    heading,
    command.description(),
    ...(rows.length > 0 ? [renderTable([first, 'default', 'meaning'], rows)] : []),
    ...(help === '' ? [] : [`\`\`\`text\n${help}\n\`\`\``]),
  ].join('\n\n')
}

/** Default and meaning. A default that depends on something stands in the description. */
function described(description: string, choices: readonly string[] | undefined, value: unknown): string[] {
  const [, text = description, told] = /^(.*?)\s*\(default: (.*)\)$/.exec(description) ?? []
  const words = choices === undefined ? '' : `: ${choices.map((word) => `\`${word}\``).join(', ')}`
  const isTold = value !== undefined && value !== true && value !== false
  return [isTold ? `\`${value}\`` : (told ?? ''), text + words].map((cell) => cell.replaceAll('<', '\\<'))
}

/** The text that a command's help ends in: examples, places, exit codes. */
function helpAfter(command: Command): string {
  let written = ''
  const output = command.configureOutput()
  command.configureOutput({ ...output, writeOut: (text) => (written += text) })
  command.outputHelp()
  command.configureOutput(output)
  return written.slice(command.helpInformation().length).trim()
}
