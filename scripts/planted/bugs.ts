import { costBugs } from './cost-bugs.ts'
import { fileBugs } from './file-bugs.ts'
import { keyBugs } from './key-bugs.ts'
import { ledgerBugs } from './ledger-bugs.ts'
import type { PlantedBug } from './planted-bug.ts'
import { questionBugs } from './question-bugs.ts'
import { resultBugs } from './result-bugs.ts'
import { sendingBugs } from './sending-bugs.ts'

/** Mistakes that the tests have to find; each was seen to be found. */
export const plantedBugs: readonly PlantedBug[] = [
  ...ledgerBugs,
  ...sendingBugs,
  ...questionBugs,
  ...resultBugs,
  ...fileBugs,
  ...keyBugs,
  ...costBugs,
]
