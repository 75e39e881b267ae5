import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineContract } from '../../shared/contract/engine-contract.ts'
import type { Handlers } from '../../shared/rpc/contract.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { diskFault } from '../delivery/disk-fault.ts'
import { numberedName, safeName } from '../delivery/safe-name.ts'
import { contactSheet } from '../reports/contact-sheet.ts'
import { batchCsv } from '../reports/csv.ts'
import { pdfSheet } from '../reports/pdf-sheet.ts'
import { writeReport } from '../reports/write-report.ts'
import { batchOf } from './batch-handlers.ts'
import type { InterfaceParts } from './parts.ts'
import type { PictureDesk } from './picture-desk.ts'
import { say } from '../../shared/language/say.ts'
import { t } from '../../shared/language/text.ts'

const mostNumbers = 1000

/** Writes reports of a batch into its output folder, under a name that is free. */
export function reportHandlers(
  { store, clock }: InterfaceParts,
  pictures: PictureDesk,
): Handlers<EngineContract>['reports'] {
  return {
    write: async ({ batch: id, kind }, { signal }) => {
      const batch = batchOf(store, id)
      const title = batch.name ?? `Batch ${batch.id}`
      const picture = async (image: number, which: string) => {
        if (signal.aborted) throw new Fault('gone', say`The report was given up.`)
        return kind === 'pdf'
          ? await pictures.smallJpeg(image, which, 512)
          : await pictures.small(image, which, 256)
      }
      const heading = batch.name ?? t`Batch ${batch.id}`
      const parts = { store, batch, title: heading, now: clock.now(), picture, before: true }
      const ending = { csv: 'csv', pdf: 'pdf', 'contact-sheet': 'html' }[kind]
      const name = `${safeName(kind === 'csv' ? title : `${title} contact sheet`)}.${ending}`
      try {
        for (let number = 1; number <= mostNumbers; number += 1) {
          const file = numberedName(name, number)
          if (existsSync(join(batch.outDir, file))) continue
          const chunks = {
            csv: () => batchCsv(store, batch),
            pdf: () => pdfSheet(parts),
            'contact-sheet': () => contactSheet(parts),
          }[kind]()
          const isNew = await writeReport(join(batch.outDir, file), chunks, { replace: false })
          if (isNew) return { file }
        }
      } catch (error) {
        if (error instanceof Fault) throw error
        throw new Fault('refused', say`The report was not written: ${diskFault(error, batch.outDir).message}`)
      }
      throw new Fault('refused', say`There are a thousand reports of this batch; move some away.`)
    },
  }
}
