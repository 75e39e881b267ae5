/**
 * What exiftool is told. All of it is fixed text and names of our own: values travel in files, never as arguments.
 */

/** IPTC fields under their names in XMP, for files that have no IPTC; what XMP says itself goes before. */
const iptcInXmp: readonly (readonly [string, string])[] = [
  ['XMP-dc:Title', 'ObjectName'],
  ['XMP-dc:Subject', 'Keywords'],
  ['XMP-dc:Description', 'Caption-Abstract'],
  ['XMP-dc:Creator', 'By-line'],
  ['XMP-dc:Rights', 'CopyrightNotice'],
  ['XMP-photoshop:AuthorsPosition', 'By-lineTitle'],
  ['XMP-photoshop:CaptionWriter', 'Writer-Editor'],
  ['XMP-photoshop:Headline', 'Headline'],
  ['XMP-photoshop:Instructions', 'SpecialInstructions'],
  ['XMP-photoshop:Credit', 'Credit'],
  ['XMP-photoshop:Source', 'Source'],
  ['XMP-photoshop:City', 'City'],
  ['XMP-photoshop:State', 'Province-State'],
  ['XMP-photoshop:Country', 'Country-PrimaryLocationName'],
  ['XMP-photoshop:TransmissionReference', 'OriginalTransmissionReference'],
  ['XMP-photoshop:Urgency', 'Urgency'],
  ['XMP-iptcCore:Location', 'Sub-location'],
  ['XMP-iptcCore:CountryCode', 'Country-PrimaryLocationCode'],
]

/**
 * What belongs to the source's own pixels and would be wrong on others: how they lie and are stored, their colours,
 * their previews and regions, how they were developed, and the ids of that very file.
 */
const ofItsPixels = [
  'Orientation',
  'ColorSpace',
  'Gamma',
  'WhitePoint',
  'PrimaryChromaticities',
  'TransferFunction',
  'ReferenceBlackWhite',
  'YCbCrCoefficients',
  'YCbCrPositioning',
  'YCbCrSubSampling',
  'ExifImageWidth',
  'ExifImageHeight',
  'ImageWidth',
  'ImageHeight',
  'BitsPerSample',
  'Compression',
  'PhotometricInterpretation',
  'SamplesPerPixel',
  'PlanarConfiguration',
  'ComponentsConfiguration',
  'CompressedBitsPerPixel',
  'NativeDigest',
  'SubjectArea',
  'SubjectLocation',
  'InteropIFD:all',
  'MakerNotes:all',
  'IFD1:all',
  'ThumbnailImage',
  'ThumbnailTIFF',
  'PreviewImage',
  'ObjectPreviewData',
  'ObjectPreviewFileFormat',
  'ObjectPreviewFileVersion',
  'XMP-xmp:Thumbnails',
  'XMP-dc:Format',
  'XMP-photoshop:ColorMode',
  'XMP-photoshop:ICCProfileName',
  'XMP-xmpMM:InstanceID',
  'XMP-xmpMM:DocumentID',
  'XMP-crs:all',
  'XMP-mwg-rs:all',
  'XMP-hdrgm:all',
  'XMP-GContainer:all',
  'XMP-GDepth:all',
  'XMP-GImage:all',
  'XMP-GPano:all',
]

export interface WriteOrder {
  /** The picture that is changed, in place. */
  readonly picture: string
  /** Where metadata comes from. */
  readonly source?: string | undefined
  /** An XMP packet about the run (run-xmp.ts), to be added. */
  readonly run?: string | undefined
  readonly orientation?: number | undefined
  /** Whether files of this kind can hold IPTC. */
  readonly holdsIptc: boolean
}

/** The arguments for one picture. */
export function writeArguments(order: WriteOrder): string[] {
  const { picture, source, run, orientation, holdsIptc } = order
  const args: string[] = ['-charset', 'filename=utf8', '-overwrite_original', '-api', 'struct=1']
  if (source !== undefined) {
    args.push('-tagsFromFile', source)
    if (holdsIptc) args.push('-IPTC:all', '-IPTC:CodedCharacterSet')
    else for (const [xmp, iptc] of iptcInXmp) args.push(`-${xmp}<IPTC:${iptc}`)
    args.push('-EXIF:all', '-GPS:all', '-XMP:all', ...ofItsPixels.map((tag) => `--${tag}`))
  }
  // Added to what the file and its source tell of their own making.
  if (run !== undefined) args.push('-addTagsFromFile', run, '-XMP-xmpMM:History+<XMP-xmpMM:History')
  if (orientation !== undefined) args.push(`-IFD0:Orientation#=${orientation}`)
  return [...args, picture]
}
