import { isRetoucher } from '../../shared/settings.ts'
import type { Balance } from '../../shared/wire.ts'
import { addressOf, openAccount, openCatalogue, patiently, readBalance, valueOf } from '../account.ts'
import { exitStatus, type ExitStatus } from '../exit-status.ts'
import type { Shell } from '../shell.ts'
import { counted, table } from '../table.ts'
import { plainText } from '../../shared/plain-text.ts'
import { jsonOption, type AddCommands } from './perform.ts'

/** `vitrine balance` and `vitrine apps`. */
export const addLookups: AddCommands = (program, perform) => {
  program
    .command('balance')
    .description('the credits of the account')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => await perform(options, balance))
  program
    .command('apps')
    .description('the apps that the service offers')
    .option(...jsonOption)
    .action(async (options: { json?: boolean }) => await perform(options, apps))
}

async function balance(shell: Shell): Promise<ExitStatus> {
  const account = await openAccount(shell, await addressOf(shell))
  const credits = await readBalance(shell, account)
  account.close()
  if (shell.json) {
    shell.terminal.json({
      totalCredits: credits.totalCredits,
      subscriptionCredits: credits.subscriptionCredits ?? null,
      otherCredits: credits.otherCredits ?? null,
      subscription: credits.subscription ?? null,
      creditsExpire: credits.creditsExpire ?? null,
    })
  } else shell.terminal.print(balanceLine(credits))
  return exitStatus.done
}

function balanceLine(credits: Balance): string {
  const { subscriptionCredits: plan, otherCredits: other, creditsExpire: expire } = credits
  const parts = [
    plan !== undefined && `${plan.toLocaleString('en')} from the subscription`,
    other !== undefined && `${other.toLocaleString('en')} bought`,
  ].filter(Boolean)
  const split = parts.length > 0 ? ` (${parts.join(', ')})` : ''
  const tier = credits.subscription ? ` Subscription: ${plainText(credits.subscription, 60)}.` : ''
  const end =
    expire === null ? ' They do not expire.' : expire ? ` They expire on ${plainText(expire, 40)}.` : ''
  return `${counted(credits.totalCredits, 'credit')}${split}.${tier}${end}`
}

async function apps(shell: Shell): Promise<ExitStatus> {
  const catalogue = await openCatalogue(shell, await addressOf(shell))
  const list = valueOf(await patiently(shell, () => catalogue.client.apps()), catalogue)
  catalogue.close()
  if (shell.json) {
    for (const { id, title, description, parameters } of list) {
      const retoucher = isRetoucher({ id, title })
      shell.terminal.json({
        id,
        title,
        description: description ?? null,
        retoucher,
        parameters: parameters ?? null,
      })
    }
  } else {
    const rows = list.map(({ id, title, description }) => [id, title, description ?? ''])
    for (const line of table(['App', 'Title', 'Description'], rows)) shell.terminal.print(line)
  }
  return exitStatus.done
}
