// The real sandbox serves this small project too.
import '../../../../../sandbox/main';
