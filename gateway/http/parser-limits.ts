import { presetForLibrary } from '../../proto/process/config.ts';

// Imported before the parser, which reads its limit when it is loaded. 4 KiB, its default, is less than a request with a
// filter of 4,096 characters and a token takes (CONTRACT section 4).
presetForLibrary('UWS_HTTP_MAX_HEADERS_SIZE', '32768');
