import { imageSize } from 'image-size';

/** Width and height in CSS pixels, as a browser shows the image. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** EXIF orientations that lay the picture on its side (CIPA DC-008, tag 0x0112). */
const firstSidewaysOrientation = 5;

/** The size of an image from its header; `null` when the header makes no sense. */
export function measureImage(bytes: Uint8Array): ImageSize | null {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return null;
    return orientation >= firstSidewaysOrientation ? { width: height, height: width } : { width, height };
  } catch {
    return null;
  }
}
